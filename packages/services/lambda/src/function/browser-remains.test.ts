import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { browsersAreSmall, memoryBelow } from './browser-remains.ts'
import { makeFolder } from './fixtures/function.ts'

const MIB = 2 ** 20

/** A process that holds so much memory. */
const holdMemory = async (bytes: number): Promise<void> => {
  const code = `const held = Buffer.alloc(${bytes}, 1); process.stdout.write('held'); setInterval(() => held, 1e9)`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await once(child.stdout, 'data')
}

const environmentOf = async (memoryBytes: number) => ({
  bucket: 'videos',
  codeDir: '/',
  tempDir: await makeFolder(),
  memoryBytes,
  env: {},
})

test('processes that hold more than an eighth of the memory are not small', async () => {
  const before = await memoryBelow(process.pid)
  await holdMemory(200 * MIB)
  expect((await memoryBelow(process.pid)) - before).toBeGreaterThan(200 * MIB)
  expect(await browsersAreSmall(await environmentOf(8 * 200 * MIB))).toBe(false)
  expect(await browsersAreSmall(await environmentOf(2 ** 40))).toBe(true)
})

test('profiles in which pages have stored much are not small', async () => {
  const environment = await environmentOf(2 ** 40)
  const profile = join(environment.tempDir, 'vid-profile-1', 'Default')
  await mkdir(profile, { recursive: true })
  await writeFile(join(profile, 'few'), Buffer.alloc(MIB))
  expect(await browsersAreSmall(environment)).toBe(true)
  await writeFile(join(profile, 'many'), Buffer.alloc(256 * MIB))
  expect(await browsersAreSmall(environment)).toBe(false)
})
