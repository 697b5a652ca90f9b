/** A text as a POSIX shell reads it as one word. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The flag that renders with these values. */
export const variablesFlag = (values: Readonly<Record<string, unknown>>): string =>
  `--variables ${shellWord(JSON.stringify(values))}`
