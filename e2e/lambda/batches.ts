import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { vid } from '../support/vid.ts'
import { composition, WAIT } from './composition.ts'
import { aws, executions, lambda, objectDigest } from './stack.ts'

const batchFile = async (dir: string, lines: readonly string[]) => {
  const file = join(dir, '../rows.jsonl')
  await writeFile(file, lines.join('\n'))
  return file
}
const row = (word: string) => JSON.stringify({ outputKey: `batch/${word}.mp4`, variables: { word } })

test('a batch with bad lines starts nothing, and names each of them', async () => {
  const dir = await composition()
  const bad = ['{"outputKey": 1}', 'no json', '{"outputKey": "sites/x.mp4"}', row('one'), '{"key": "x"}']
  const file = await batchFile(dir, [row('one'), '', ...bad])
  const before = (await executions()).length
  const { code, stderr } = await lambda(['render-batch', dir, '--batch', file])
  expect(code, stderr).toBe(2)
  for (const line of [3, 4, 5, 6, 7]) expect(stderr).toMatch(new RegExp(`line ${line}\\b`, 'i'))
  expect((await executions()).length).toBe(before)
})

longTest('a batch starts a render for each line, each with its own words', async () => {
  const dir = await composition('row', 1)
  const file = await batchFile(dir, [row('one'), '', row('two')])
  const { code, stdout, stderr } = await lambda(['render-batch', dir, '--batch', file, '--json'])
  expect(code, stderr).toBe(0)
  const rows = JSON.parse(stdout)
  expect(rows).toMatchObject([
    {
      inputLine: 1,
      outputKey: 'batch/one.mp4',
      status: 'started',
      executionArn: expect.stringContaining('arn:'),
    },
    { inputLine: 3, outputKey: 'batch/two.mp4', status: 'started' },
  ])
  for (const { executionArn } of rows) {
    const ended = await lambda(['progress', executionArn, ...WAIT])
    expect(ended.code, ended.stderr).toBe(0)
  }
  expect(await objectDigest('batch/one.mp4')).not.toBe(await objectDigest('batch/two.mp4'))
})

test('a dry run needs neither stack nor credentials, and no network', async () => {
  const dir = await composition()
  const file = await batchFile(dir, [row('one'), row('two')])
  const none = {
    ...Object.fromEntries(Object.keys(aws().env).map((name) => [name, undefined])),
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  const words = ['lambda', 'render-batch', dir, '--batch', file, '--dry-run', '--json']
  const { code, stdout, stderr } = await vid(words, { env: none })
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([
    { inputLine: 1, status: 'would-invoke', executionArn: null },
    { inputLine: 2, status: 'would-invoke', executionArn: null },
  ])
})
