// The tools of vid for assistants, through the client of the protocol's own SDK.
import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { wavOf } from '@vid/testkit'
import { Ajv } from 'ajv'
import { expect, onTestFinished, test } from 'vitest'
import { descendants, here, printed, scratch, start, until } from './support/vid.ts'

const COMMAND = fileURLToPath(new URL('../packages/cli/bin/vid.js', import.meta.url))

const FILM = `<!doctype html><meta charset="utf-8">
<style>#root { background: #1b2430; color: #fff; font: 24px sans-serif } p { position: absolute; left: 60px } #dim { top: 60px; color: #2f3b4a } #title { top: 120px }</style>
<div id="root" data-composition-id="film" data-width="320" data-height="180" data-duration="1">
  <p id="dim">Faint</p><p id="title" data-start="0" data-duration="1">Title</p>
</div>
`

const COMMENTS = {
  next: 2,
  comments: [
    {
      id: 1,
      entry: 'index.html',
      from: 0.5,
      to: null,
      pin: null,
      who: { kind: 'person', name: 'vid preview' },
      text: 'Bolder, please',
      writtenMs: 0,
      answers: [],
      resolved: null,
    },
  ],
}

const TIMEOUT = { timeout: 300_000 }

const makeFilm = async (): Promise<string> => {
  const folder = await scratch()
  await mkdir(join(folder, 'film/.vid'), { recursive: true })
  await writeFile(join(folder, 'film/index.html'), FILM)
  await writeFile(join(folder, 'film/talk.srt'), '1\n00:00:00,000 --> 00:00:00,500\nHello\n')
  // A click every half second.
  const clicks = wavOf((time) => Math.exp(-200 * (time % 0.5)) * Math.sin(6000 * time), { seconds: 6 })
  await writeFile(join(folder, 'film/beat.wav'), clicks)
  await writeFile(join(folder, 'film/.vid/comments.json'), JSON.stringify(COMMENTS))
  return folder
}

const overStdio = async (folder: string, env: NodeJS.ProcessEnv = {}) => {
  const client = new Client({ name: 'tester', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'mcp'],
    cwd: folder,
    env: { ...process.env, ...env } as Record<string, string>,
    stderr: 'inherit',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, pid: transport.pid ?? 0 }
}

const overHttp = async (folder: string) => {
  const server = start(['mcp', '--http', '--json', folder], { cwd: folder })
  const [line] = await printed(server, /^\{.*\n/m)
  const { url, token } = JSON.parse(line) as { url: string; token: string }
  const client = new Client({ name: 'tester', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit })
  await client.connect(transport as Parameters<Client['connect']>[0])
  onTestFinished(async () => {
    await client.close()
    server.child.kill('SIGTERM')
    await server.done
  })
  return { client, server }
}

const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args }, undefined, TIMEOUT)) as CallToolResult

/** The whole schemas of a tool. */
const schemasOf = async (client: Client, name: string): Promise<{ readonly output: object }> => {
  const { contents } = await client.readResource({ uri: `vid://tools/${name}` })
  return JSON.parse((contents[0] as { readonly text: string }).text)
}

const textOf = ({ content }: CallToolResult) => (content[0]?.type === 'text' ? content[0].text : '')

const dir = 'film'

/** A good call of each tool, and what its text holds. */
const GOOD: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ['lint', { dir }, /nothing found/],
  ['timeline', { dir }, /320x180, 1 s/],
  ['sheet', { dir, frames: 2, width: 400 }, /sheets\/film\.png/],
  ['snapshot', { dir, at: '50%' }, /snapshots\//],
  ['inspect', { dir }, /320 x 180/],
  ['check', { dir, rule: 'contrast' }, /^1 error\n[\s\S]*mend: /],
  ['edit', { dir, operations: [{ op: 'text', target: '#title', text: 'New' }] }, /written as edit 1/],
  ['edit_log', { dir }, /assistant tester/],
  ['preview', { dir }, /^1 comment\nno preview is open\n1 {2}index\.html 0\.5 s {2}the film/],
  ['comment_answer', { dir, id: '1', text: 'It is bold now' }, /^comment 1 is answered/],
  ['captions_import', { file: 'film/talk.srt', output: 'film/talk.vtt' }, /talk\.vtt/],
  ['edit_undo', { dir }, /^undone; 0 to undo, 1 to redo/],
  ['edit_redo', { dir }, /^made again/],
  ['render', { dir, output: 'film.mp4' }, /outputPath: film\.mp4/],
  ['init', { name: 'new-film', template: 'blank' }, /made from the template/],
  ['diff', { before: 'film', after: 'new-film' }, /differ|size/],
  ['beats', { source: 'film/beat.wav' }, /^12 beats, 120/],
]

/** Arguments that each tool refuses, wrong and hostile ones. */
const BAD: readonly Record<string, unknown>[] = [
  { nothing: 1 },
  { budget: -1 },
  { budget: '6000' },
  { constructor: {} },
]

test.each([
  ['stdio', async (folder: string) => (await overStdio(folder)).client],
  ['HTTP', async (folder: string) => (await overHttp(folder)).client],
])('every tool answers over %s, and refuses wrong and hostile arguments with a code', async (_, connect) => {
  const client = await connect(await makeFilm())
  const { tools } = await client.listTools()
  expect(GOOD.map(([name]) => name).sort()).toEqual(tools.map(({ name }) => name).sort())
  const ajv = new Ajv({ strict: false })
  // An assistant reads all of it before its first call.
  expect(JSON.stringify(tools).length).toBeLessThan(25_000)
  for (const { inputSchema, outputSchema = {} } of tools)
    for (const schema of [inputSchema, outputSchema])
      expect(ajv.validateSchema(schema as object), ajv.errorsText()).toBe(true)
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([])
  for (const [name, args, text] of GOOD) {
    const answer = await call(client, name, args)
    expect([name, textOf(answer)]).toEqual([name, expect.stringMatching(text)])
    expect(answer.isError).toBe(undefined)
    const { output } = await schemasOf(client, name)
    expect([name, ajv.validate(output, answer.structuredContent), ajv.errorsText()]).toEqual([name, true, 'No errors'])
    const { length } = JSON.stringify(answer.structuredContent)
    expect(length + textOf(answer).length).toBeLessThanOrEqual(name === 'inspect' ? 8000 : 6000)
    const wrong = BAD.map((values) => call(client, name, values))
    const pathName = Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {}).find((key) =>
      ['dir', 'name', 'before', 'file', 'source'].includes(key),
    )
    const hostile = ['..', '/etc', 'file:///etc'].map((place) =>
      call(client, name, { ...args, [pathName ?? '']: place }),
    )
    for (const refused of await Promise.all([...wrong, ...hostile]))
      expect([name, refused.isError, refused._meta?.code]).toEqual([name, true, expect.stringMatching(/^VID_TOOL_/)])
  }
  for (const code of ['check/contrast', 'lint/no-root']) {
    const { contents } = await client.readResource({ uri: `vid://codes/${code}` })
    expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining(`# ${code}\n`) })])
  }
  const images = (await call(client, 'sheet', { dir, frames: 2, width: 400 })).content.filter(
    ({ type }) => type === 'image',
  )
  expect(images).toHaveLength(1)
})

test('the code of a config that others could have written is not run', async () => {
  const folder = await makeFilm()
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
  const [folder, temp] = [await makeFilm(), await scratch()]
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
  const [folder, temp] = [await makeFilm(), await scratch()]
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
