import { spawn } from 'node:child_process'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  COMMAND,
  call,
  dir,
  expectTools,
  makeProject,
  overHttp,
  overStdio,
  TIMEOUT,
} from '../support/assistant-tools.ts'
import { descendants, here, scratch, until } from '../support/vid.ts'

test('every tool answers over stdio, and refuses wrong and hostile arguments with a code', async () => {
  const { client } = await overStdio(await makeProject())
  await expectTools(client)
})

// Each of them: npm run lab -- long-tests
test('tools answer over HTTP, and refuse wrong and hostile arguments with a code', async () => {
  const { client } = await overHttp(await makeProject())
  await expectTools(client, ['lint', 'sheet', 'edit', 'edit_undo'])
})

test('the code of a config that others could have written is not run', async () => {
  const folder = await makeProject()
  const { client } = await overStdio(folder)
  const config = join(folder, 'film/vid.config.mjs')
  await writeFile(
    config,
    "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('ran', import.meta.url), '')\nprocess.stdout.write('not of the protocol')\nexport default {}\n",
  )
  await chmod(config, 0o666)
  for (const [name, args] of [
    ['inspect', { dir }],
    ['diff', { before: dir, after: dir }],
    ['preview', { dir }],
  ] as const)
    expect([name, (await call(client, name, args))._meta?.code]).toEqual([name, 'VID_TOOL_CONFIG'])
  expect(await readdir(join(folder, dir))).not.toContain('ran')
  await chmod(config, 0o600)
  expect((await call(client, 'inspect', { dir })).isError).toBe(undefined)
  expect(await readdir(join(folder, dir))).toContain('ran')
})

const KILLS = Number(process.env.VID_ASSISTANT_KILLS ?? 2)
const CANCELS = Number(process.env.VID_ASSISTANT_CANCELS ?? 3)

/** Waits until nothing of a server is left: no process, and nothing in its folder for temporary files. */
const untilNothingIsLeft = (pids: readonly number[], temp: string) =>
  until(async () => {
    const isAlive = pids.some((pid) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    })
    const entries = await readdir(temp)
    return !isAlive && entries.length === 0 ? true : undefined
  }, 120_000)

test(`${CANCELS} cancelled checks leave no browser and no temporary folder`, async () => {
  const [folder, temp] = [await makeProject(), await scratch()]
  const { client, pid } = await overStdio(folder, { TMPDIR: temp })
  for (let index = 0; index < CANCELS; index += 1) {
    const stop = new AbortController()
    const calling = client.callTool({ name: 'check', arguments: { dir } }, undefined, {
      ...TIMEOUT,
      signal: stop.signal,
    })
    // Once the browser runs: later each time.
    await until(async () => ((await descendants(pid)).length > index % 6 ? true : undefined), 60_000)
    stop.abort()
    await expect(calling).rejects.toThrow()
  }
  await until(async () => ((await descendants(pid)).length === 0 ? true : undefined), 60_000)
  expect(await call(client, 'lint', { dir })).toMatchObject({ structuredContent: { ok: true } })
  await client.close()
  await untilNothingIsLeft([pid], temp)
})

test(`${KILLS} clients that are killed leave no server, no browser and no temporary folder`, async () => {
  const [folder, temp] = [await makeProject(), await scratch()]
  for (let index = 0; index < KILLS; index += 1) {
    const child = spawn(process.execPath, [here('support/mcp-client.mjs'), COMMAND, join(folder, 'film')], {
      env: { ...process.env, TMPDIR: temp },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    const server = await until(async () => Number(text.split('\n')[0]) || undefined, 60_000)
    const browsers = await until(async () => {
      const below = await descendants(server)
      return below.length > index % 4 ? below.map(({ pid }) => pid) : undefined
    }, 60_000)
    child.kill('SIGKILL')
    await untilNothingIsLeft([server, ...browsers], temp)
    expect(text).not.toContain('answered')
  }
})
