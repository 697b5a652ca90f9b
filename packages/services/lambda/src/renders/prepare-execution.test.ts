import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schemaProblems } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { ExecutionInputSchema } from '../contract/execution-input.ts'
import { MAX_EXECUTION_INPUT_BYTES } from '../contract/limits.ts'
import { prepareExecution } from './prepare-execution.ts'

const siteId = 'a'.repeat(64)
const renderId = 'film'

/** A file in a folder that is removed when the test ends. */
const makeFile = async (content: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-lambda-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'variables.json')
  await writeFile(path, content)
  return path
}

/** Variables with which the input has so many bytes. */
const variablesFor = async (bytes: number, letter = 'x') => {
  const { text } = await prepareExecution({ siteId, renderId, config: { variables: { text: '' } } })
  const room = bytes - Buffer.byteLength(text)
  const wide = Buffer.byteLength(letter)
  return { text: letter.repeat(Math.floor(room / wide)) + 'x'.repeat(room % wide) }
}

test('the input is what the function expects, with a key and a name where none are given', async () => {
  const { input, text } = await prepareExecution({ siteId, config: { fps: 30, format: 'webm' } })
  expect(schemaProblems(ExecutionInputSchema, input)).toEqual([])
  expect(JSON.parse(text)).toEqual(input)
  expect(input).toMatchObject({ action: 'plan', siteId, reuse: true, chunks: { maxParallelChunks: 16 } })
  expect(input.outputKey).toBe(`outputs/${input.renderId}.webm`)
  expect(input).not.toHaveProperty('variables')
})

test.each(['x', 'é', '🎬'])('an input of 262,144 bytes starts, and one byte more is refused (%s)', async (letter) => {
  const largest = await variablesFor(MAX_EXECUTION_INPUT_BYTES, letter)
  const { text } = await prepareExecution({ siteId, renderId, config: { variables: largest } })
  expect(Buffer.byteLength(text)).toBe(MAX_EXECUTION_INPUT_BYTES)
  const tooLarge = prepareExecution({
    siteId,
    renderId,
    config: { variables: { text: `${largest.text}x` } },
  })
  await expect(tooLarge).rejects.toMatchObject({
    code: 'VID_LAMBDA_CONFIG',
    field: 'config.variables',
    message: expect.stringContaining('262145 bytes'),
  })
  await expect(tooLarge).rejects.toThrow('262144')
})

test('values of a file are in the input when they fit, and in an object of the render when they do not', async () => {
  const small = await prepareExecution({
    siteId,
    renderId,
    config: { variablesFile: await makeFile('{"title": "Hello"}') },
  })
  expect(small.input.variables).toEqual({ title: 'Hello' })
  expect(small).not.toHaveProperty('variables')

  const values = JSON.stringify({ text: 'x'.repeat(MAX_EXECUTION_INPUT_BYTES) })
  const large = await prepareExecution({
    siteId,
    renderId,
    config: { variablesFile: await makeFile(values) },
  })
  expect(large.variables).toBe(values)
  expect(large.input).not.toHaveProperty('variables')
  expect(large.input.variablesObject).toEqual({
    key: 'renders/film/variables.json',
    sha256: createHash('sha256').update(values).digest('hex'),
  })
  expect(schemaProblems(ExecutionInputSchema, large.input)).toEqual([])
})

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['null', 'null'],
  ['half a character', '{"title": "\\ud83c"}'],
  ['nesting that is too deep', `{"a": ${'['.repeat(5000)}${']'.repeat(5000)}}`],
])('a file with %s is refused', async (_, content) => {
  const config = { variablesFile: await makeFile(content) }
  await expect(prepareExecution({ siteId, config })).rejects.toMatchObject({ field: 'config.variablesFile' })
})

test('a file that is not there is refused', async () => {
  const config = { variablesFile: '/nowhere/variables.json' }
  await expect(prepareExecution({ siteId, config })).rejects.toMatchObject({ field: 'config.variablesFile' })
})

test('everything that is wrong is named together', async () => {
  const order = { siteId: 'x', config: { fps: 0 }, outputKey: 'sites/x', renderId: 'a b', batchId: '' }
  await expect(prepareExecution(order)).rejects.toMatchObject({
    problems: ['config.fps', 'siteHandle', 'renderId', 'batchId', 'outputKey'].map((field) => ({
      field,
      problem: expect.any(String),
    })),
  })
})
