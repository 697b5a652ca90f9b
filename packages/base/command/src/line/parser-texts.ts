/**
 * What clipanion says of a wrong command line: it has no codes, so its texts are read. They are those of the version that the
 * manifest of this package names.
 */
export const parserTexts = {
  /** A flag that no command has. */
  unsupportedFlag: /^Unsupported option name \("([^=]*).*"\)/s,
  /** A word that begins like a flag and is none, or a switch with a value. */
  invalidFlag: /^Invalid option name \("([^=]*).*"\)/s,
  /** An argument that no command takes. */
  surplusArgument: /^Extraneous positional argument \("(.*)"\)/s,
  missingArgument: /^Not enough positional arguments/,
  /** A flag without its value. */
  missingValue: /^Not enough arguments to option (.*)\.$/,
} as const satisfies Readonly<Record<string, RegExp>>
