import { resolve } from 'node:path'
import { type Prices, readPrices } from '@vid/lambda'
import type { CliContext } from '../flags/flag-command.ts'

/** The prices of a file that the user names; undefined for those that come with vid. */
export const pricesOf = async (
  path: string | undefined,
  { cwd }: Pick<CliContext, 'cwd'>,
): Promise<Prices | undefined> => (path === undefined ? undefined : readPrices(resolve(cwd, path)))
