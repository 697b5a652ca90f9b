import { resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import type { Prices } from '../../cost/prices.ts'
import { readPrices } from '../../cost/read-prices.ts'

/** Reads the user's price file; undefined for the built-in prices. */
export const readPriceFile = async (
  path: string | undefined,
  { cwd }: Pick<CommandRun, 'cwd'>,
): Promise<Prices | undefined> => (path === undefined ? undefined : readPrices(resolve(cwd, path)))
