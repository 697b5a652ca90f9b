import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { newFolder, page, startCloud, zipOf } from './fixtures/cloud.ts'

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

test('the description passes the rules of linters', async () => {
  const { get } = await startCloud()
  const document = (await get('/openapi.json')).json as never as { readonly paths: object }
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  const security = [{ apiKey: [] }, { bearer: [] }]
  expect(document).toMatchObject({ servers: [{ url: '/' }], info: { license: { name: 'MIT' } }, security })
  expect(document).toHaveProperty(['paths', '/health', 'get', 'security'], [])
  expect(document).toHaveProperty(['paths', '/v3/files/{path}', 'get', 'security'], [])
  expect(strayParameters(document.paths)).toEqual([])
})

test('the description has an id for each operation and a name for each shared schema', async () => {
  const { get } = await startCloud()
  const document = (await get('/openapi.json')).json as never as {
    readonly paths: object
    readonly components: { readonly securitySchemes: object }
  }
  const ids = valuesOf(document, 'operationId')
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ['createAsset', 'completeUpload', 'createRender', 'listRenders', 'getUser'])
    expect(ids).toContain(id)
  const references = new Set(valuesOf(document.paths, '$ref'))
  for (const name of ['RenderRequest', 'RenderRecord', 'RenderPage', 'Asset', 'Upload', 'User', 'Error'])
    expect(references).toContain(`#/components/schemas/${name}`)
  expect(document.components.securitySchemes).toEqual({
    apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    bearer: { type: 'http', scheme: 'bearer' },
  })
})

const program = `import createClient from 'openapi-fetch'
import { readFile } from 'node:fs/promises'
import type { components, paths } from './api.js'

const [url, key, zip] = process.argv.slice(2) as [string, string, string]
const client = createClient<paths>({ baseUrl: url, headers: { 'x-api-key': key } })
const form = new FormData()
form.set('file', new Blob([await readFile(zip)]), 'project.zip')
const sent = await client.POST('/v3/assets', {
  headers: { 'Idempotency-Key': 'one' },
  body: { file: '' },
  bodySerializer: () => form,
})
if (!sent.data) throw new Error(sent.error.error.code)
const { asset_id } = sent.data.data
const accepted = await client.POST('/v3/vid/renders', {
  body: { project: { type: 'asset_id', asset_id }, fps: 60, variables: { title: 'x' } },
})
if (!accepted.data) throw new Error(accepted.error.error.message)
const { render_id } = accepted.data.data
const found = await client.GET('/v3/vid/renders/{render_id}', { params: { path: { render_id } } })
const record: components['schemas']['RenderRecord'] | undefined = found.data?.data
const list = await client.GET('/v3/vid/renders', { params: { query: { limit: 5 } } })
const wrong = await client.POST('/v3/vid/renders', { body: { project: { type: 'url', url: 'http://x' }, fps: 0 } })
const me = await client.GET('/v3/users/me')
const gone = await client.DELETE('/v3/vid/renders/{render_id}', { params: { path: { render_id } } })
// @ts-expect-error: no such quality
void (() => client.POST('/v3/vid/renders', { body: { project: { type: 'url', url: '' }, quality: 'best' } }))
// @ts-expect-error: no such field
const unknown: components['schemas']['RenderRequest'] = { project: { type: 'url', url: '' }, colour: 'red' }
void unknown

console.log(JSON.stringify({
  status: record?.status,
  fps: record?.fps,
  listed: list.data?.data.length,
  wrong: [wrong.error?.error.code, wrong.error?.error.param],
  credential: me.data?.data.credential,
  deleted: gone.data?.data.deleted,
}))
`

test('a client that is generated from the description is typed, and uploads and submits', async () => {
  const { url, account } = await startCloud()
  const folder = await newFolder()
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'client.ts'), program)
  await writeFile(join(folder, 'project.zip'), await zipOf({ 'index.html': page() }))
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
  const command = ['client.js', url, account.key, join(folder, 'project.zip')]
  const { stdout } = await run(process.execPath, command, { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({
    status: 'queued',
    fps: 60,
    listed: 1,
    wrong: ['invalid_parameter', 'fps'],
    credential: 'api_key',
    deleted: true,
  })
})
