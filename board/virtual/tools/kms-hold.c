/* kms-hold: becomes DRM master of a card and stays so until it is killed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "kms-common.h"

int main(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-') {
        bool help = argc == 2 && argv[1][1] && (argv[1][1] == 'h' || argv[1][2] == 'h');
        fputs("usage: kms-hold CARD\n"
              "\n"
              "Becomes DRM master of CARD (such as " DEFAULT_CARD "), prints \"holding CARD\" and\n"
              "keeps the card until it is killed: a card that another program has taken.\n",
              help ? stdout : stderr);
        return help ? 0 : 2;
    }
    int card = open(argv[1], O_RDWR | O_CLOEXEC);
    if (card < 0)
        die(argv[1]);
    if (drmSetMaster(card))
        die("become master");
    printf("holding %s\n", argv[1]);
    fflush(stdout);
    for (;;)
        pause();
}
