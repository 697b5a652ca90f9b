import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import {
  type CallToolResult,
  CallToolResultSchema,
  CreateTaskResultSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { schemaProblems } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { counts } from '../fixtures/commands.ts'
import { makeFolder, partsOf } from '../fixtures/session-parts.ts'
import { openClientSession, type SessionParts } from './session.ts'

const connect = async (parts: SessionParts, client = new Client({ name: 'tester', version: '1' })) => {
  const session = openClientSession(parts)
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([session.connect(far), client.connect(near)])
  onTestFinished(() => session.close())
  return { client, session }
}

const open = async (files: Readonly<Record<string, string>> = {}) => {
  const root = await makeFolder(files)
  return { root, ...(await connect(await partsOf(root))) }
}

const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '')

const call = async (client: Client, name: string, values: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: values })) as CallToolResult

test('a tool is what its command is, without options that assistants have not', async () => {
  const { client } = await open()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['lint', 'check'])
  const [lint] = tools
  expect(lint).toMatchObject({ title: 'Find mistakes', description: 'Find mistakes.' })
  const { properties = {} } = lint?.inputSchema ?? {}
  expect(Object.keys(properties)).toEqual(
    ['dir', 'count', 'sarif', 'batch', 'variables'].concat(['offset', 'limit', 'budget']),
  )
  // Bounds are checked when it is called.
  expect(properties.count).toEqual({
    type: 'integer',
    description: 'findings: a whole number from 0 to 5000 (default 3)',
  })
  // The fields of its answer, without what is in them.
  expect(lint?.outputSchema).toEqual({
    type: 'object',
    properties: {
      ok: { type: 'boolean' },
      errors: { type: 'integer' },
      warnings: { type: 'integer' },
      findings: { type: 'array' },
      state: { type: 'string' },
      more: { type: 'object' },
    },
  })
})

test('the whole schemas of a tool are a resource, and an answer is what they say', async () => {
  const { client } = await open()
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(['vid://tools/lint', 'vid://tools/check'])
  const { contents } = await client.readResource({ uri: 'vid://tools/lint' })
  const { input, output } = JSON.parse((contents[0] as { readonly text: string }).text)
  expect(input.properties.count).toMatchObject({ minimum: 0, maximum: 5000 })
  expect(output.required).toEqual(['type', 'ok', 'errors', 'warnings', 'findings', 'more'])
  expect(output.properties.findings.items.properties.severity).toBeDefined()
  const { structuredContent } = await call(client, 'lint', { count: 30, limit: 2 })
  expect(schemaProblems(output, structuredContent)).toEqual([])
  await expect(client.readResource({ uri: 'vid://tools/lnt' })).rejects.toThrow(
    'There is no resource "vid://tools/lnt".',
  )
})

test('the page of a code is a resource, and an unknown one is refused', async () => {
  const { client } = await open()
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['vid://codes/{+code}'])
  const { contents } = await client.readResource({ uri: 'vid://codes/lint/no-root' })
  expect(contents).toEqual([{ uri: 'vid://codes/lint/no-root', mimeType: 'text/markdown', text: '# lint/no-root\n' }])
  await expect(client.readResource({ uri: 'vid://codes/lint/no-rot' })).rejects.toThrow(
    'There is no resource "vid://codes/lint/no-rot".',
  )
})

test('the client refuses an answer that is not what the tool declares', async () => {
  const root = await makeFolder()
  const parts = await partsOf(root)
  const wrong = { run: async () => ({ findings: 3 }), text: () => [] }
  const tools = parts.tools.map((tool) => ({ ...tool, command: { ...tool.command, ...wrong } }))
  const { client } = await connect({ ...parts, tools })
  await client.listTools()
  await expect(call(client, 'lint')).rejects.toThrow('does not match the tool')
})

test('an answer sums up first, then says what changed, and holds no escape sequence and no path of the machine', async () => {
  const { client } = await open()
  await client.listTools()
  const first = await call(client, 'lint', { count: 1 })
  expect(textOf(first)).toBe('1 warnings\nindex.html:1 Line 1 of …/else.html is wrong.')
  expect(textOf(await call(client, 'lint', { count: 1 }))).toContain('1 warnings\nbefore: 1, now: 1\n')
  expect(first.structuredContent).toMatchObject({ type: 'lint', warnings: 1, more: {} })
  expect(JSON.stringify(first)).not.toContain('\\u001b')
})

test('an answer keeps to its budget, says how much is left out, and shows it by request', async () => {
  const { client } = await open()
  await client.listTools()
  for (const budget of [1000, 3000, 6000, 50_000]) {
    const answer = await call(client, 'lint', { count: 1000, budget, limit: 500 })
    expect(textOf(answer).length + JSON.stringify(answer.structuredContent).length).toBeLessThanOrEqual(budget)
  }
  await call(client, 'lint', { count: 30, limit: 5 })
  const { lints } = counts
  const { structuredContent } = await call(client, 'lint', { count: 30, limit: 5, offset: 10 })
  // Of the answer before: a tool that edits would edit again.
  expect(counts.lints).toBe(lints)
  const { findings, more } = structuredContent as { findings: { line: number }[]; more: object }
  expect([findings.map(({ line }) => line), more]).toEqual([[11, 12, 13, 14, 15], { findings: 15 }])
})

test.each([
  ['an unknown tool', 'lnt', {}, 'VID_TOOL_UNKNOWN'],
  ['a command that is no tool', 'hidden', {}, 'VID_TOOL_UNKNOWN'],
  ['an unknown argument', 'lint', { nothing: 1 }, 'VID_TOOL_ARGUMENTS'],
  ['an option that assistants have not', 'lint', { secret: true }, 'VID_TOOL_ARGUMENTS'],
  ['another type', 'lint', { count: '3' }, 'VID_TOOL_ARGUMENTS'],
  ['a number out of range', 'lint', { count: 5001 }, 'VID_TOOL_ARGUMENTS'],
  ['a budget out of range', 'lint', { budget: 1e9 }, 'VID_TOOL_ARGUMENTS'],
  ['a name that objects inherit', 'lint', { constructor: 1 }, 'VID_TOOL_ARGUMENTS'],
  ['a long text', 'lint', { dir: 'a'.repeat(100_000) }, 'VID_TOOL_ARGUMENTS'],
])('a call with %s is refused with a code', async (_, name, values, code) => {
  const { client } = await open()
  const answer = await call(client, name, values)
  expect([answer.isError, answer._meta]).toEqual([true, { code }])
  expect(textOf(answer)).toMatch(new RegExp(`^${code}: .*\\.\n.*\\.$`))
  expect(textOf(answer).length).toBeLessThan(2000)
})

test('40 attempts to read or write outside of the roots are refused with a code', async () => {
  const outside = await makeFolder({ 'secret.json': '{}', 'vid.config.json': '{}' })
  const { root, client } = await open({ 'intro/index.html': '', 'a.json': '{}' })
  await symlink(outside, join(root, 'link'))
  await symlink(join(outside, 'secret.json'), join(root, 'file-link.json'))
  await symlink(join(outside, 'nothing'), join(root, 'dangling'))
  await symlink('..', join(root, 'intro/up'))
  await mkdir(join(root, 'linked'))
  await symlink(outside, join(root, 'linked/.vid'))
  await mkdir(join(root, 'unsafe'))
  await writeFile(join(root, 'unsafe/vid.config.json'), '{}')
  await chmod(join(root, 'unsafe/vid.config.json'), 0o666)
  await mkdir(join(root, 'foreign'))
  await symlink(join(outside, 'vid.config.json'), join(root, 'foreign/vid.config.json'))
  const places = [
    '..',
    '../..',
    '/',
    '/etc',
    outside,
    'link',
    'dangling',
    'intro/../..',
    'intro/../../x',
    'file:///etc',
  ].concat(['file:/etc/passwd', 'https://example.com', 'data:text/html,x', '~/videos', '~root', 'a\u0000b', 'a\nb'])
  const attempts: readonly (readonly [string, string])[] = [
    ...places.map((place) => ['dir', place] as const),
    ...['link/secret.json', 'file-link.json', '../secret.json', '/etc/passwd', `${outside}/secret.json`].map(
      (place) => ['batch', place] as const,
    ),
    ...[
      'link/new.sarif',
      'dangling',
      '../new.sarif',
      '/tmp/new.sarif',
      'file-link.json',
      '../intro/new.sarif',
      `${outside}/x`,
    ].map((place) => ['sarif', place] as const),
    ...[
      'link/secret.json',
      '/etc/passwd',
      '../x',
      'file:///x',
      '~/x',
      'dangling',
      'file-link.json',
      `${root}/../x`,
    ].map((place) => ['variables', place] as const),
    ['dir', 'linked'],
    ['dir', 'unsafe'],
    ['dir', 'foreign'],
  ]
  expect(attempts).toHaveLength(40)
  for (const [name, place] of attempts) {
    const value = name === 'variables' ? { import: place } : place
    const answer = await call(client, 'lint', { [name]: value })
    const code = ['unsafe', 'foreign'].includes(place) ? 'VID_TOOL_CONFIG' : 'VID_TOOL_OUTSIDE'
    expect([place, answer.isError, answer._meta]).toEqual([place, true, { code }])
  }
  // What is inside is allowed, also by a link that stays there.
  for (const place of ['.', 'intro', 'intro/up', root, 'new-folder'])
    expect([place, (await call(client, 'lint', { dir: place })).isError]).toEqual([place, undefined])
})

test('roots are those of the client, as they are now', async () => {
  const [one, two] = [await makeFolder(), await makeFolder()]
  let root = one
  const client = new Client({ name: 'tester', version: '1' }, { capabilities: { roots: { listChanged: true } } })
  client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: `file://${root}` }] }))
  await connect({ ...(await partsOf(one)), roots: undefined }, client)
  expect((await call(client, 'lint', { dir: one })).isError).toBe(undefined)
  expect((await call(client, 'lint', { dir: two })).isError).toBe(true)
  root = two
  await client.sendRootsListChanged()
  expect((await call(client, 'lint', { dir: two })).isError).toBe(undefined)
  expect((await call(client, 'lint', { dir: one })).isError).toBe(true)
})

test('50 cancelled calls end their commands', async () => {
  const { client } = await open()
  const { begun, ended } = counts
  for (let index = 0; index < 50; index += 1) {
    const stop = new AbortController()
    const calling = client.callTool({ name: 'check' }, CallToolResultSchema, {
      signal: stop.signal,
      onprogress: () => stop.abort(),
    })
    await expect(calling).rejects.toThrow()
  }
  await expect.poll(() => counts).toMatchObject({ begun: begun + 50, ended: ended + 50 })
})

test('a client that leaves ends what runs for it', async () => {
  const { client, session } = await open()
  const { begun, ended } = counts
  const calling = client.callTool({ name: 'check' }).catch(() => 'ended')
  await expect.poll(() => counts.begun).toBe(begun + 1)
  await client.close()
  await session.close()
  expect([await calling, counts.ended]).toEqual(['ended', ended + 1])
  expect(session.gone.aborted).toBe(true)
})

test('a long call can be a task: it is cancelled, or its answer is fetched later', async () => {
  const { client } = await open()
  const { begun, ended } = counts
  const start = (name: string) =>
    client.request(
      { method: 'tools/call', params: { name, arguments: {}, task: { ttl: 60_000 } } },
      CreateTaskResultSchema,
    )
  const { task } = await start('check')
  await expect.poll(() => counts.begun).toBe(begun + 1)
  expect((await client.experimental.tasks.getTask(task.taskId)).status).toBe('working')
  expect((await client.experimental.tasks.cancelTask(task.taskId)).status).toBe('cancelled')
  await expect.poll(() => counts.ended).toBe(ended + 1)
  const lint = await start('lint')
  const result = await client.experimental.tasks.getTaskResult(lint.task.taskId, CallToolResultSchema)
  expect(textOf(result)).toContain('3 warnings')
})
