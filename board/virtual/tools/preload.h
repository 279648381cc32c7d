/* What stands between a program and the kernel by LD_PRELOAD has this in common. */
#ifndef PRELOAD_H
#define PRELOAD_H

/* ioctl as the kernel has it; -1 with errno as it does. */
int kernel_ioctl(int file, unsigned long request, void *argument);

/* Lines go to the end of the file that this variable of the environment names; nowhere where it names none. */
void open_log(const char *variable);
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

#endif
