import { readFileSync } from 'node:fs'

/** Version of this package: the function, the stack and who starts renders must have the same. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}
