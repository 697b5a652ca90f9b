import { shellWord } from '@vid/protocol'

/** The flag that renders with these values. */
export const variablesFlag = (values: Readonly<Record<string, unknown>>): string =>
  `--variables ${shellWord(JSON.stringify(values))}`
