// A separate program, because its libraries are linked while the player starts and takes the processor too: decision 0191.
import PictureDecoder

PictureChild.serve(Array(CommandLine.arguments.dropFirst()))
