import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { composition, page, WAIT } from './composition.ts'
import { aws, executions, keysBelow, lambda } from './stack.ts'

const large = (bytes: number) => `{"word":"${'é'.repeat(bytes / 2)}"}`
const refusals: Readonly<Record<string, readonly [string[], RegExp]>> = {
  'an HDR video': [['--hdr'], /hdr/],
  'a key among the sites': [['--output-key', 'sites/a.mp4'], /output-key.*sites\//],
  'chunks of no frame': [['--chunk-size', '0'], /chunk-size/],
  'a number that is none': [['--chunk-size', '1e3'], /chunk-size/],
  'more chunks than a render may have': [['--max-parallel-chunks', '100000'], /max-parallel-chunks/],
  'a width that is none': [['--width', '12.5'], /width/],
  'two ways to give values': [['--variables', '{}', '--variables-file', 'x.json'], /variables-file/],
}

test.each(Object.keys(refusals))('%s is refused before anything is asked of AWS', async (name) => {
  const [flags, named] = refusals[name] as (typeof refusals)[string]
  const dir = await composition()
  const before = (await aws().control('state')).s3.requests
  const { code, stderr } = await lambda(['render', dir, ...flags])
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(named)
  expect((await aws().control('state')).s3.requests).toBe(before)
})

test('values that make the input larger than 262,144 bytes are refused, with the number of bytes', async () => {
  const dir = await composition()
  const file = join(dir, '../values.json')
  const batch = join(dir, '../rows.jsonl')
  await writeFile(file, large(262_144))
  await writeFile(batch, `{"outputKey":"a.mp4","variables":${large(262_144)}}`)
  const { code, stderr } = await lambda(['render-batch', dir, '--batch', batch])
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/variables[\s\S]*262,?\s?\d{3}/)
})

test('a gif that no call could join is refused when it is planned, and leaves no file', async () => {
  const dir = await composition()
  const text = page()
    .replaceAll('320', '1920')
    .replaceAll('180', '1080')
    .replace('data-duration="5"', 'data-duration="3600"')
  await writeFile(join(dir, 'index.html'), text)
  const words = ['--format', 'gif', '--output-key', 'films/long.gif', ...WAIT]
  const { code, stderr } = await lambda(['render', dir, ...words])
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/joining 108000 frames of 1920 × 1080 as gif/)
  expect(await keysBelow('films/long')).toEqual([])
})

test('a format that the deployed function does not make is refused at once', async () => {
  const before = (await executions()).length
  const { code, stderr } = await lambda(['render', await composition(), '--format', 'webp'])
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/VID_LAMBDA_FORMAT: .*its formats: .*\bgif\b.*\bmp4\b/)
  expect((await executions()).length).toBe(before)
})
