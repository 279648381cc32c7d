"use strict";
// The page asks again and again; nothing is pushed. What it shows it writes as text, never as markup.
const $ = (id) => document.getElementById(id);
const state = { screen: null, right: "nothing", login: false, session: false, status: null, at: 0, picture: null, drags: false, lost: 0 };

function time(seconds) {
  if (seconds === undefined || seconds === null) return " -- ";
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (number) => String(number).padStart(2, "0");
  return `${pad(Math.floor(whole / 3600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
}

function span(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (count >= 1000 && unit < units.length - 1) { count /= 1000; unit += 1; }
  return `${count < 10 && unit > 0 ? count.toFixed(1) : Math.round(count)} ${units[unit]}`;
}

function several(count, one, more = one + "s") { return `${count.toLocaleString("en")} ${count === 1 ? one : more}`; }

function set(id, text) { if ($(id).textContent !== text) $(id).textContent = text; }
function show(id, isShown) { $(id).hidden = !isShown; }

async function ask(path, options) {
  const answer = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  state.right = answer.headers.get("X-Vitrine-Right") || state.right;
  state.login = answer.headers.get("X-Vitrine-Login") === "yes";
  state.session = answer.headers.get("X-Vitrine-Session") === "yes";
  return answer;
}

async function steer(verb, more) {
  const request = { verb, ...more };
  if (state.screen !== null && !["reload", "retry", "quit"].includes(verb)) request.screen = state.screen;
  try {
    const answer = await ask("/api", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
    });
    const result = await answer.json();
    set("steer-problem", result.ok ? "" : `${result.error.message}; ${result.error.remedy}`);
    if (answer.status === 401) logIn(true);
  } catch { set("steer-problem", "The board doesn't answer."); }
  look();
}

function logIn(isNeeded) {
  show("board", false);
  show("login", true);
  show("login-cancel", !isNeeded);
  show("log-out", false);
  if (isNeeded) health("none", "locked");
  $("token").focus();
}

function health(word, text) {
  $("health").dataset.state = word;
  set("health-word", text || word);
}

function current() {
  const screens = state.status.screens || [];
  return screens.find((screen) => (screen.name ?? null) === state.screen) || screens[0];
}

function tabs() {
  const names = (state.status.screens || []).map((screen) => screen.name ?? null);
  if (!names.includes(state.screen)) state.screen = names.length ? names[0] : null;
  const nav = $("screens");
  show("screens", names.length > 1);
  if (nav.dataset.names !== names.join("\n")) {
    nav.dataset.names = names.join("\n");
    nav.replaceChildren(...names.map((name) => {
      const button = document.createElement("button");
      button.textContent = name;
      button.addEventListener("click", () => { state.screen = name; clearPicture(); draw(); picture(); });
      return button;
    }));
  }
  [...nav.children].forEach((button) => button.setAttribute("aria-pressed", String(button.textContent === state.screen)));
}

function drawPosition() {
  const screen = state.status && current();
  const item = screen && screen.playback.item;
  if (!item) {
    for (const id of ["position", "duration"]) set(id, "");
    $("played").style.width = "0";
    return;
  }
  const runs = screen.playback.is_wanted && !screen.playback.waiting_reason && screen.presence === "on";
  let position = item.position_seconds;
  if (position !== undefined && position !== null && runs) position += (performance.now() - state.at) / 1000;
  if (item.duration_seconds) position = Math.min(position, item.duration_seconds);
  set("position", time(position));
  set("duration", time(item.duration_seconds));
  const part = item.duration_seconds ? Math.min(1, (position || 0) / item.duration_seconds) : 0;
  $("played").style.width = `${(part * 100).toFixed(2)}%`;
}

function figures(status, screen) {
  const board = status.board || {};
  const counters = screen.counters;
  const rows = [["Screen", screen.presence === "on" ? screen.summary : screen.presence === "asleep" ? "off" : "none"]];
  rows.push(["Frames", `${counters.frames_rendered.toLocaleString("en")} shown, ${counters.frames_dropped.toLocaleString("en")} dropped`]);
  rows.push(["Since the start", [several(counters.stalls, "stall"), several(counters.reconnects, "reconnect"), several(counters.items_failed, "failure")].join(", ")]);
  if (status.configuration) {
    const files = status.configuration.files || [];
    rows.push(["Configuration", [status.configuration.state, status.configuration.reason, files[files.length - 1]].filter(Boolean).join(", ")]);
  }
  if (status.store) rows.push(["Store", `${status.store.stored} of ${status.store.wanted} stored, ${bytes(status.store.bytes)}`]);
  if (board.temperature_celsius !== undefined && board.temperature_celsius !== null) {
    const words = [board.is_throttled && "slowed down", board.is_under_voltage && "too little power"].filter(Boolean);
    rows.push(["Temperature", [`${Math.round(board.temperature_celsius)} °C`, ...words].join(", ")]);
  }
  if (board.disk_free_bytes) rows.push(["Disk", `${bytes(board.disk_free_bytes)} free`]);
  rows.push(["Clock", board.is_clock_synchronised ? "synchronised" : "not synchronised"]);
  rows.push(["Address", (status.addresses || []).join(", ") || "none"]);
  rows.push(["Runs for", span(status.uptime_seconds)]);
  const list = $("figures");
  const text = JSON.stringify(rows);
  if (list.dataset.text === text) return;
  list.dataset.text = text;
  list.replaceChildren(...rows.flatMap(([name, value]) => {
    const [term, words] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    words.textContent = value || "none";
    return [term, words];
  }));
}

function problems(status) {
  const lines = (status.problems || []).map((problem) => {
    const [line, words, ago] = ["li", "span", "time"].map((name) => document.createElement(name));
    words.textContent = problem.text + (problem.count > 1 ? ` (${problem.count} times)` : "");
    ago.textContent = `${span(problem.age_seconds)} ago`;
    line.append(words, ago);
    return line;
  });
  if (!lines.length) {
    const line = document.createElement("li");
    line.className = "none";
    line.textContent = "No problems.";
    lines.push(line);
  }
  $("problems").replaceChildren(...lines);
}

function draw() {
  const status = state.status;
  tabs();
  const screen = current();
  set("name", status.name || "Vitrine");
  document.title = `${status.name}: ${status.health}`;
  health(status.health);
  set("footer", `Vitrine ${status.version}`);
  if (!screen) return;
  const playback = screen.playback;
  const item = playback.item;
  const title = item ? item.title || item.uri : "";
  const isOff = screen.presence === "asleep";
  set("now", isOff ? "the screen is off" : item ? (item.number ? `${item.number} of ${playback.item_count}: ${title}` : title) : "nothing");
  show("next-row", Boolean(playback.next_title));
  set("next", playback.next_title || "");
  const reason = playback.is_wanted ? playback.waiting_reason : item ? "paused" : null;
  show("waiting-row", Boolean(reason) && !isOff);
  set("waiting", reason || "");
  const may = state.right === "steer";
  show("steer", may);
  show("ask", !may && state.login);
  show("log-out", state.login && state.session);
  show("toggle", may && Boolean(item));
  $("toggle").dataset.does = playback.is_wanted ? "pause" : "play";
  $("toggle").setAttribute("aria-label", playback.is_wanted ? "Pause" : "Play");
  set("power", isOff ? "Screen on" : "Screen off");
  show("volume-row", Boolean(screen.sound));
  if (screen.sound && !state.drags) {
    $("volume").value = screen.sound.volume_percent;
    set("percent", screen.sound.is_muted ? "muted" : `${screen.sound.volume_percent} %`);
    set("mute", screen.sound.is_muted ? "Unmute" : "Mute");
  }
  drawPosition();
  figures(status, screen);
  problems(status);
}

async function look() {
  try {
    const answer = await ask("/api/status");
    if (answer.status === 401) return logIn(true);
    const reply = await answer.json();
    if (!reply.ok) throw new Error(reply.error.message);
    state.status = reply.result;
    state.at = performance.now();
    state.lost = 0;
    if ($("login").hidden || $("login-cancel").hidden) { show("login", false); show("board", true); }
    draw();
  } catch {
    // One that is missed isn't told: a phone sleeps, a player starts anew.
    state.lost += 1;
    if (state.lost > 1) health("gone", "no answer");
  }
}

function clearPicture() {
  if (state.picture) URL.revokeObjectURL(state.picture);
  state.picture = null;
  show("picture", false);
  show("no-picture", true);
}

async function picture() {
  if (document.hidden || $("board").hidden || !state.status) return;
  const screen = current();
  if (!screen || screen.presence !== "on") {
    set("no-picture", screen && screen.presence === "asleep" ? "The screen is off" : "There is no screen");
    return clearPicture();
  }
  const width = Math.min(1280, Math.round(($("picture").parentElement.clientWidth || 640) * Math.min(2, window.devicePixelRatio || 1)));
  const name = state.screen === null ? "" : `&screen=${encodeURIComponent(state.screen)}`;
  try {
    const answer = await ask(`/api/screenshot?format=jpeg&width=${Math.max(160, Math.ceil(width / 160) * 160)}${name}`);
    if (!answer.ok) return;
    const url = URL.createObjectURL(await answer.blob());
    const image = $("picture");
    await new Promise((done) => { image.onload = done; image.onerror = done; image.src = url; });
    if (state.picture) URL.revokeObjectURL(state.picture);
    state.picture = url;
    image.alt = `What the screen shows: ${$("now").textContent}`;
    show("picture", true);
    show("no-picture", false);
  } catch { /* the next one may come */ }
}

// One after the other: a slow line isn't asked more than it can answer.
function repeat(what, milliseconds) {
  const again = async () => { if (!document.hidden) await what(); setTimeout(again, milliseconds); };
  again();
}

$("toggle").addEventListener("click", () => steer($("toggle").dataset.does));
$("previous").addEventListener("click", () => steer("previous"));
$("following").addEventListener("click", () => steer("next"));
$("power").addEventListener("click", () => steer("screen", { on: $("power").textContent === "Screen on" }));
$("mute").addEventListener("click", () => steer("mute"));
$("volume").addEventListener("input", () => { state.drags = true; set("percent", `${$("volume").value} %`); });
for (const end of ["pointerup", "blur"]) $("volume").addEventListener(end, () => { state.drags = false; });
$("volume").addEventListener("change", () => { state.drags = false; steer("volume", { percent: Number($("volume").value) }); });
$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  steer("message", { text: $("message").value });
  $("message").value = "";
});
$("log-in").addEventListener("click", () => logIn(false));
$("login-cancel").addEventListener("click", () => { show("login", false); show("board", true); });
$("log-out").addEventListener("click", async () => {
  await ask("/logout", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  look();
});
$("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const answer = await ask("/login", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: $("token").value }),
    });
    set("login-problem", answer.ok ? "" : "The token is wrong.");
    if (!answer.ok) return;
    $("token").value = "";
    show("login-cancel", false);
    show("login", false);
    show("board", true);
    await look();
    picture();
  } catch { set("login-problem", "The board doesn't answer."); }
});
repeat(look, 2000);
repeat(picture, 3000);
setTimeout(picture, 400);
setInterval(drawPosition, 250);
document.addEventListener("visibilitychange", () => { if (!document.hidden) { look(); picture(); } });
