import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schemaProblems } from '@vid/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { knownPrices, readPrices } from '../index.ts'
import { PricesSchema } from './prices.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vid-prices-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = async (text: string) => {
  await writeFile(join(folder, 'prices.json'), text)
  return readPrices('prices.json', folder)
}

const prices = { date: '2027-01-05', regions: { 'eu-north-1': knownPrices.regions['eu-west-1'] } }

test('a file of prices is read as it is', async () => {
  expect(await read(JSON.stringify(prices))).toEqual(prices)
})

test('the list prices have the shape of such a file', () => {
  expect(schemaProblems(PricesSchema, knownPrices)).toEqual([])
})

test.each([
  [
    'a missing figure',
    { ...prices, regions: { 'eu-north-1': { ...prices.regions['eu-north-1'], call: undefined } } },
    /call/,
  ],
  ['a negative price', { ...prices, regions: { 'eu-north-1': { ...prices.regions['eu-north-1'], call: -1 } } }, /call/],
  [
    'a figure as text',
    { ...prices, regions: { 'eu-north-1': { ...prices.regions['eu-north-1'], s3Read: '1' } } },
    /s3Read/,
  ],
  ['an unknown name', { ...prices, currency: 'EUR' }, /currency/],
  ['no date', { regions: {} }, /date/],
  ['another date', { ...prices, date: '5 January' }, /date/],
])('%s is refused by its name', async (_name, value, named) => {
  await expect(read(JSON.stringify(value))).rejects.toMatchObject({
    code: 'VID_LAMBDA_PRICES_FILE',
    message: expect.stringMatching(named),
  })
})

test.each([
  ['no JSON', '{'],
  ['deep nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['a huge file', ' '.repeat(2 ** 20 + 1)],
])('%s is refused', async (_name, text) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'VID_LAMBDA_PRICES_FILE' })
})

test('a missing file is refused with its path', async () => {
  await expect(readPrices('none.json', folder)).rejects.toMatchObject({
    code: 'VID_LAMBDA_PRICES_FILE',
    message: expect.stringContaining('none.json'),
  })
})
