import { resolve } from 'node:path'
import { describeCause, isTooDeep, schemaProblems } from '@vid/protocol'
import { fail } from '../errors.ts'
import { type Prices, PricesSchema } from './prices.ts'

const MAX_BYTES = 2 ** 20

const readJson = async (path: string, signal?: AbortSignal): Promise<unknown> => {
  const { readGivenFile } = await import('@vid/system')
  const file = await readGivenFile(path, MAX_BYTES, signal)
  if ('bytes' in file) throw new Error(`it has ${file.bytes} bytes, more than ${MAX_BYTES}`)
  return JSON.parse(file.text)
}

/** Reads custom prices from a JSON file in the format of `PricesSchema`; `path` is relative to `cwd`. */
export const readPrices = async (path: string, cwd = process.cwd(), signal?: AbortSignal): Promise<Prices> => {
  const value = await readJson(resolve(cwd, path), signal).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw fail('VID_LAMBDA_PRICES_FILE', { path, problems: [describeCause(cause)] }, { cause })
  })
  const problems = isTooDeep(value) ? ['it nests too deep'] : schemaProblems(PricesSchema, value)
  if (problems.length > 0) throw fail('VID_LAMBDA_PRICES_FILE', { path, problems })
  return value as Prices
}
