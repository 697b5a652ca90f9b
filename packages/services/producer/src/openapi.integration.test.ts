import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { makeFolder, page, startProducer } from './fixtures/producer.ts'

const run = promisify(execFile)
const { resolve } = createRequire(import.meta.url)

/** Every value under a key, at any depth. */
const valuesOf = (node: unknown, key: string): unknown[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)])

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
}

/** The parameters of each path that its template does not name, and the other way round. */
const strayParameters = (paths: object): string[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations as Record<string, Operation>).flatMap(({ operationId, parameters = [] }) => {
      const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
      const isSame = names.sort().join() === (path.match(/\{\w+\}/g) ?? []).sort().join()
      return isSame ? [] : [`${operationId} of ${path}: ${names.join()}`]
    }),
  )

test.each([
  [undefined, []],
  [['a-token-of-sixteen-characters'], [{ bearer: [] }]],
])('the description passes the rules of linters, with the tokens %j', async (tokens, security) => {
  const { url } = await startProducer(tokens ? { tokens } : {})
  const document = await (await fetch(`${url}/openapi.json`)).json()
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  expect(document).toMatchObject({ servers: [{ url: '/' }], info: { license: { name: 'MIT' } }, security })
  expect(document.paths['/health'].get.security).toEqual([])
  expect(strayParameters(document.paths)).toEqual([])
})

test('the description has an id for each operation and a name for each shared schema', async () => {
  const { send } = await startProducer()
  const document = await (await send('/openapi.json')).json()
  const ids = valuesOf(document, 'operationId')
  expect(ids).toContain('getOutputHead')
  expect(new Set(ids).size).toBe(ids.length)
  const references = new Set(valuesOf(document.paths, '$ref'))
  for (const name of ['RenderRequest', 'RenderResult', 'RenderRecord', 'RenderEvent', 'Stills', 'Error'])
    expect(references).toContain(`#/components/schemas/${name}`)
  const names = Object.keys(document.components.schemas)
  for (const reference of valuesOf(document, '$ref')) expect(names).toContain(String(reference).split('/').at(-1))
})

const program = `import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

const client = createClient<paths>({ baseUrl: process.argv[2]! })
const html = process.argv[3]!

const { data, error } = await client.POST('/render', { body: { html, fps: 30, quality: 'draft' } })
if (error) throw new Error(error.error.code)
// A detached request would be another reply.
if (!('outputUrl' in data) || data.outputToken === null) throw new Error('not finished')
const token: string = data.outputToken
const output = await client.GET('/outputs/{token}', { params: { path: { token } }, parseAs: 'arrayBuffer' })
const bytes: ArrayBuffer | undefined = output.data

const wrong = await client.POST('/render', { body: { html, fps: 0 } })

const events: components['schemas']['RenderEvent'][] = []
const stream = await client.POST('/render/stream', { body: { html }, parseAs: 'text' })
for (const line of String(stream.data).split('\\n'))
  if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)))
const ends: string[] = []
for (const event of events) {
  // Told apart by their type.
  if (event.type === 'complete') ends.push(\`\${event.type} \${event.frames}\`)
  if (event.type === 'error') ends.push(event.error.code)
  if (event.type === 'queued') event.position.toFixed()
}
// @ts-expect-error: no such quality
void (() => client.POST('/render', { body: { html, quality: 'best' } }))
// @ts-expect-error: no such field
const unknown: components['schemas']['RenderRequest'] = { html, colour: 'red' }
void unknown

console.log(JSON.stringify({ frames: data.frames, bytes: bytes?.byteLength, size: data.fileSize, wrong: wrong.error?.error.field, ends }))
`

test('a client that is generated from the description is typed, and renders a video', async () => {
  const { url } = await startProducer()
  const folder = await makeFolder({ 'package.json': '{"type":"module"}', 'client.ts': program })
  await symlink(dirname(dirname(resolve('vitest/package.json'))), join(folder, 'node_modules'))
  const generator = join(dirname(resolve('openapi-typescript/package.json')), 'bin/cli.js')
  const description = join(folder, 'openapi.json')
  await writeFile(description, await (await fetch(`${url}/openapi.json`)).text())
  await run(process.execPath, [generator, description, '-o', join(folder, 'api.ts')])
  const flags = '--strict --module nodenext --target es2022 --lib es2022,dom --skipLibCheck --types node'
  const compiler = resolve('typescript/bin/tsc')
  await run(process.execPath, [compiler, ...flags.split(' '), 'client.ts'], { cwd: folder }).catch((thrown) => {
    throw new Error(thrown.stdout)
  })
  const { stdout } = await run(process.execPath, ['client.js', url, page()], { cwd: folder })
  const { size, ...outcome } = JSON.parse(stdout)
  expect(outcome).toEqual({ frames: 3, bytes: size, wrong: 'fps', ends: ['complete 3'] })
})
