// The tools of vid for assistants, through the client of the protocol's own SDK.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { wavOf } from '@vid/testkit'
import { Ajv } from 'ajv'
import { expect, onTestFinished } from 'vitest'
import { printed, scratch, start } from './vid.ts'

/** The built command. */
export const COMMAND = fileURLToPath(new URL('../../packages/engine/cli/bin/vid.js', import.meta.url))

const PAGE = `<!doctype html><meta charset="utf-8">
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

/** What a call may take on a busy machine. */
export const TIMEOUT = { timeout: 300_000 }

/** Makes a folder with a composition that has a fault, a comment, captions and a beat. */
export const makeProject = async (): Promise<string> => {
  const folder = await scratch()
  await mkdir(join(folder, 'film/.vid'), { recursive: true })
  await writeFile(join(folder, 'film/index.html'), PAGE)
  await writeFile(join(folder, 'film/talk.srt'), '1\n00:00:00,000 --> 00:00:00,500\nHello\n')
  // A click every half second.
  const clicks = wavOf((time) => Math.exp(-200 * (time % 0.5)) * Math.sin(6000 * time), { seconds: 6 })
  await writeFile(join(folder, 'film/beat.wav'), clicks)
  await writeFile(join(folder, 'film/.vid/comments.json'), JSON.stringify(COMMENTS))
  return folder
}

/** Starts the server of the tools as an assistant does, and connects to it. */
export const overStdio = async (folder: string, env: NodeJS.ProcessEnv = {}) => {
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

/** Starts the server that listens for assistants, and connects to it. */
export const overHttp = async (folder: string) => {
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

/** Calls a tool. */
export const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args }, undefined, TIMEOUT)) as CallToolResult

/** The whole schemas of a tool. */
const schemasOf = async (client: Client, name: string): Promise<{ readonly output: object }> => {
  const { contents } = await client.readResource({ uri: `vid://tools/${name}` })
  return JSON.parse((contents[0] as { readonly text: string }).text)
}

const textOf = ({ content }: CallToolResult) => (content[0]?.type === 'text' ? content[0].text : '')

/** The folder of the composition. */
export const dir = 'film'

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
  ['preview', { dir }, /^1 comment\nno preview is open\n1 {2}index\.html 0\.5 s {2}the composition/],
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

/** A good call of a tool is answered as its schema says, and wrong and hostile ones are refused. */
const expectTool = async (client: Client, tools: readonly Tool[], [name, args, text]: (typeof GOOD)[number]) => {
  const ajv = new Ajv({ strict: false })
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
  const hostile = ['..', '/etc', 'file:///etc'].map((place) => call(client, name, { ...args, [pathName ?? '']: place }))
  for (const refused of await Promise.all([...wrong, ...hostile]))
    expect([name, refused.isError, refused._meta?.code]).toEqual([name, true, expect.stringMatching(/^VID_TOOL_/)])
}

/** The list of tools is sound, and each of some, or of all, answers a good call and refuses wrong and hostile arguments. */
export const expectTools = async (client: Client, names = GOOD.map(([name]) => name)): Promise<void> => {
  const { tools } = await client.listTools()
  expect(GOOD.map(([name]) => name).sort()).toEqual(tools.map(({ name }) => name).sort())
  const ajv = new Ajv({ strict: false })
  // An assistant reads all of it before its first call.
  expect(JSON.stringify(tools).length).toBeLessThan(25_000)
  for (const { inputSchema, outputSchema = {} } of tools)
    for (const schema of [inputSchema, outputSchema])
      expect(ajv.validateSchema(schema as object), ajv.errorsText()).toBe(true)
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([])
  for (const good of GOOD.filter(([name]) => names.includes(name))) await expectTool(client, tools, good)
  for (const code of ['check/contrast', 'lint/no-root']) {
    const { contents } = await client.readResource({ uri: `vid://codes/${code}` })
    expect(contents).toEqual([expect.objectContaining({ text: expect.stringContaining(`# ${code}\n`) })])
  }
  const images = (await call(client, 'sheet', { dir, frames: 2, width: 400 })).content.filter(
    ({ type }) => type === 'image',
  )
  expect(images).toHaveLength(1)
}
