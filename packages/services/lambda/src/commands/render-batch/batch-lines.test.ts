import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findSameKeys, parseBatch, readBatch } from './batch-lines.ts'

const messages = (errors: readonly Error[]) => errors.map(({ message }) => message)

test('blank lines are counted, and every other line keeps its number', () => {
  const text = '{"outputKey":"a.mp4","variables":{"x":1}}\r\n\r\n   \n{"outputKey":"b.mp4"}\n'
  expect(parseBatch(text)).toEqual({
    lines: [
      { inputLine: 1, outputKey: 'a.mp4', variables: { x: 1 } },
      { inputLine: 4, outputKey: 'b.mp4', variables: {} },
    ],
    blank: 2,
    errors: [],
  })
})

test('every wrong line is reported with its number, and what is wrong with it', () => {
  const bad = [
    '{"outputKey":',
    '[]',
    'null',
    '{"variables":{}}',
    '{"outputKey":7}',
    '{"outputKey":"a","variables":[1]}',
    '{"outputKey":"a","varibles":{}}',
    `{"outputKey":"a","variables":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`,
  ]
  const { lines, errors } = parseBatch(bad.join('\n'))
  expect(lines).toEqual([])
  expect(messages(errors)).toEqual([
    expect.stringMatching(/^Line 1 .*not JSON/),
    expect.stringMatching(/^Line 2 .*an array/),
    expect.stringMatching(/^Line 3 .*null/),
    expect.stringMatching(/^Line 4 .*outputKey is missing/),
    expect.stringMatching(/^Line 5 .*outputKey must be a string; got number/),
    expect.stringMatching(/^Line 6 .*variables must be an object; got an array/),
    expect.stringMatching(/^Line 7 .*no field "varibles"; did you mean variables/),
    expect.stringMatching(/^Line 8 .*nests deeper/),
  ])
  expect(errors.every((error) => 'fault' in error && error.fault === 'caller')).toBe(true)
})

test('two lines with one output key are found, and a folder inside that of another line', () => {
  const lines = ['a', 'b', 'a', 'b/c'].map((outputKey, index) => ({
    inputLine: index + 1,
    outputKey,
    variables: {},
  }))
  expect(messages(findSameKeys(lines, false))).toEqual([expect.stringMatching(/^Line 3 .*line 1/)])
  expect(messages(findSameKeys(lines, true))).toEqual([
    expect.stringMatching(/^Line 3 .*line 1/),
    expect.stringMatching(/^Line 4 .*inside that of line 2/),
  ])
})

test('a file that is not there, and one without lines, are errors of the caller', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-batch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'empty.jsonl'), '\n\n')
  const { signal } = new AbortController()
  const codes = {
    'none.jsonl': 'VID_BATCH_UNREADABLE',
    'empty.jsonl': 'VID_BATCH_EMPTY',
    '.': 'VID_BATCH_UNREADABLE',
  }
  for (const [name, code] of Object.entries(codes))
    await expect(readBatch(name, folder, signal)).rejects.toMatchObject({
      code,
      fault: 'caller',
    })
})
