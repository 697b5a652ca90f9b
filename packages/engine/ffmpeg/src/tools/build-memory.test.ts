import { chmod, copyFile, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recall } from './build-memory.ts'

const openMemory = async (name = 'ffmpeg') => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-builds-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, name)
  await copyFile('/bin/true', program)
  let calls = 0
  const ask = async () => {
    calls += 1
    return `answer ${calls}`
  }
  const env = { XDG_CACHE_HOME: join(folder, 'cache') }
  return {
    program,
    file: join(folder, 'cache/vid/builds/builds.json'),
    say: (question = 'version', more = {}) => recall(program, question, ask, { ...env, ...more }),
  }
}

test('a program is asked each question once', async () => {
  const { say } = await openMemory()
  expect(await say()).toBe('answer 1')
  expect(await say('core')).toBe('answer 2')
  expect([await say(), await say('core')]).toEqual(['answer 1', 'answer 2'])
})

test('a program is asked again after it or its libraries have changed', async () => {
  const { say, program } = await openMemory()
  await say()
  await utimes(program, 1, 1)
  expect(await say()).toBe('answer 2')
  expect(await say('version', { LD_LIBRARY_PATH: '/elsewhere' })).toBe('answer 3')
  expect(await say()).toBe('answer 2')
})

test('a script or a program with another name is asked every time', async () => {
  const script = await openMemory()
  await writeFile(script.program, '#!/bin/sh\n')
  await chmod(script.program, 0o755)
  const other = await openMemory('snap')
  for (const { say } of [script, other]) expect([await say(), await say()]).toEqual(['answer 1', 'answer 2'])
})

test('a damaged cache is rewritten, and a cache that cannot be written does no harm', async () => {
  const { say, file, program } = await openMemory()
  await say()
  await writeFile(file, '[{"key":1')
  expect(await say()).toBe('answer 2')
  expect(await readFile(file, 'utf8')).toContain('answer 2')
  const nowhere = { XDG_CACHE_HOME: program }
  expect([await say('version', nowhere), await say('version', nowhere)]).toEqual(['answer 3', 'answer 4'])
})

test('the answers to concurrent questions are all remembered', async () => {
  const { say } = await openMemory()
  const questions = ['a', 'b', 'c', 'd']
  const first = await Promise.all(questions.map((question) => say(question)))
  expect(await Promise.all(questions.map((question) => say(question)))).toEqual(first)
})
