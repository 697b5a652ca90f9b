import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { partOf } from '../../../../scripts/dev/part-of.ts'
import type { CompositionReply, PreviewEvent, ProblemsReply, ProjectReply, RowsReply } from './api.ts'
import { createPreview } from './create-preview.ts'
import { makeProject, openPreview, SQUARE, send } from './fixtures/open-preview.ts'

const json = <T>({ text }: { readonly text: string }) => JSON.parse(text) as T

/** The events of a preview, each as it is asked for; the connection ends with the test. */
const follow = async (page: string, cookie: string): Promise<() => Promise<PreviewEvent>> => {
  let text = ''
  let wake = () => {}
  const request = get(`${page}/api/events`, { headers: { cookie } }, (response) => {
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (chunk) => {
      text += chunk
      wake()
    })
  })
  request.on('error', () => {})
  onTestFinished(() => void request.destroy())
  const next = async (): Promise<PreviewEvent> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const message = text.slice(0, end)
      text = text.slice(end + 2)
      if (message.startsWith('data: ')) return JSON.parse(message.slice(6)) as PreviewEvent
    }
  }
  expect(await next()).toMatchObject({ type: 'hello' })
  return next
}

test('the compositions of a folder are listed, the first of them index.html, without parts and other pages', async () => {
  const folder = await makeProject({
    'z.html': SQUARE,
    'index.html': SQUARE,
    'scenes/intro.html': SQUARE.replace('data-duration="2"', ''),
    'flat.html': SQUARE.replace('data-height="36"', ''),
    'part.html': '<template><div data-composition-id="part"></div></template>',
    'about.html': '<p>Another page</p>',
    'node_modules/x/index.html': SQUARE,
    'broken.html': SQUARE.replace('data-duration="2"', 'data-duration="soon"'),
  })
  const { ask, preview } = await openPreview(folder)
  const { compositions, origin } = json<ProjectReply>(await ask('/api/project'))
  expect(origin).toBe(preview.origin)
  expect(compositions.map(({ entry, duration, error }) => [entry, duration, error?.code])).toEqual([
    ['index.html', 2, undefined],
    ['broken.html', null, 'VID_COMPOSITION_BAD_DURATION'],
    ['flat.html', null, 'VID_COMPOSITION_NO_SIZE'],
    ['scenes/intro.html', null, undefined],
    ['z.html', 2, undefined],
  ])
  expect(compositions.at(-2)?.src).toBe(`${origin}/scenes/intro.html`)
})

test('of very many files index.html is listed all the same, and how many are not', async () => {
  const many = Array.from({ length: 1005 }, (_, n) => [`a/${n}.html`, '<p>Another page</p>'])
  const folder = await makeProject({ ...Object.fromEntries(many), 'a.html': SQUARE, 'index.html': SQUARE })
  const { ask } = await openPreview(folder)
  const { compositions, unlisted } = json<ProjectReply>(await ask('/api/project'))
  expect(compositions.map(({ entry }) => entry)).toEqual(['index.html', 'a.html'])
  expect(unlisted).toBe(7)
})

test('a linked composition is listed, one that leaves the project with its error', async () => {
  const outside = await makeProject()
  const folder = await makeProject()
  await symlink(join(folder, 'index.html'), join(folder, 'same.html'))
  await symlink(join(outside, 'index.html'), join(folder, 'secret.html'))
  await symlink(join(outside, 'gone.html'), join(folder, 'nowhere.html'))
  const { ask } = await openPreview(folder)
  const { compositions } = json<ProjectReply>(await ask('/api/project'))
  expect(compositions.map(({ entry, width, error }) => [entry, width, error?.code])).toEqual([
    ['index.html', 64, undefined],
    ['same.html', 64, undefined],
    ['secret.html', null, 'VID_ENTRY_OUTSIDE'],
  ])
})

test('a composition tells its variables, the values of the config, and its clips with their lines', async () => {
  const config = 'export default { render: { fps: 29.97, variables: { title: "set" } } }'
  const { ask } = await openPreview(await makeProject({ 'index.html': SQUARE, 'vid.config.mjs': config }))
  const reply = json<CompositionReply>(await ask('/api/composition?entry=index.html'))
  expect(reply).toMatchObject({ width: 64, height: 36, fps: '30000/1001', values: { title: 'set' } })
  expect(reply.variables).toMatchObject([{ id: 'title', type: 'string', default: 'hi' }])
  expect(reply.clips).toMatchObject([{ tag: 'p', file: 'index.html', line: 4, absoluteStart: 0.5, duration: 1 }])
})

test('problems of lint and of putting a composition together have a file and a line', async () => {
  const html = SQUARE.replace('</div>', '<div data-composition-src="gone.html" data-start="0"></div></div>')
  const { ask } = await openPreview(await makeProject({ 'index.html': html }))
  const { problems } = json<ProblemsReply>(await ask('/api/problems?entry=index.html'))
  expect(problems[0]).toMatchObject({ severity: 'error', place: { file: 'index.html', line: 5 } })
  // Compiling it says the same under another code.
  expect(problems.map(({ code }) => code)).toEqual(['lint/nested-missing'])
})

test('each row of a batch is told with what does not fit', async () => {
  const { ask } = await openPreview(await makeProject())
  const rows = [{ title: 'one' }, { title: 2 }, { other: 'x' }]
  const options = { method: 'POST', body: { entry: 'index.html', text: JSON.stringify(rows) } }
  const reply = json<RowsReply>(await ask('/api/rows', options))
  expect(reply.rows.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
    [],
    ['VID_VARIABLE_TYPE_MISMATCH'],
    ['VID_VARIABLE_UNDECLARED'],
  ])
  const brokenReply = await ask('/api/rows', { method: 'POST', body: { entry: 'index.html', text: '[{' } })
  expect(brokenReply.text).toContain('VID_PREVIEW_ROWS')
})

test('the batch files of a project are found, and read by their path', async () => {
  const folder = await makeProject({
    'index.html': SQUARE,
    'rows.json': '[{"title":"one"}]',
    'data/more.json': '{"rows":[{"title":"two"},{"title":2}]}',
    'package.json': '{"name":"x"}',
    'broken.json': '[{',
    '.hidden/rows.json': '[{"title":"x"}]',
  })
  const { ask } = await openPreview(folder)
  const files = async () => json<{ files: string[] }>(await ask('/api/batches')).files
  expect(await files()).toEqual(['rows.json', 'data/more.json'])
  const body = { entry: 'index.html', file: 'data/more.json' }
  const { rows } = json<RowsReply>(await ask('/api/rows', { method: 'POST', body }))
  expect(rows.map(({ values, warnings }) => [values, warnings.length])).toEqual([
    [{ title: 'two' }, 0],
    [{ title: 2 }, 1],
  ])
  await writeFile(join(folder, 'broken.json'), '[{"title":"mended"}]')
  expect(await files()).toEqual(['broken.json', 'rows.json', 'data/more.json'])
  const outside = { method: 'POST', body: { entry: 'index.html', file: '../rows.json' } }
  expect((await ask('/api/rows', outside)).text).toContain('VID_PREVIEW_FILE')
})

test('the page hears of each change, of a broken edit, and of a folder that is gone and comes back', async () => {
  const folder = await makeProject()
  const { page, cookie } = await openPreview(folder)
  const next = await follow(page, cookie)
  await writeFile(join(folder, 'index.html'), SQUARE.replace('data-width="64"', 'data-width="128"'))
  expect(await next()).toMatchObject({
    type: 'change',
    revision: 1,
    files: ['index.html'],
    compositions: [{ entry: 'index.html', width: 128 }],
  })
  await writeFile(join(folder, 'index.html'), SQUARE.replace('data-duration="2"', 'data-duration="x"'))
  expect(await next()).toMatchObject({
    compositions: [{ entry: 'index.html', error: { code: 'VID_COMPOSITION_BAD_DURATION' } }],
  })
  await rename(folder, `${folder}-away`)
  onTestFinished(() => rm(`${folder}-away`, { recursive: true, force: true }))
  // What is seen of the files before it is certain that the folder is gone does not matter.
  while ((await next()).type !== 'missing');
  await rename(`${folder}-away`, folder)
  while ((await next()).type !== 'change');
  await writeFile(join(folder, 'index.html'), SQUARE)
  let last = await next()
  while (last.type === 'change' && last.compositions[0]?.error) last = await next()
  expect(last).toMatchObject({ type: 'change', compositions: [{ width: 64 }] })
})

test.each(
  partOf(
    [
      ['vid.config.json', (fps: number) => `{ "render": { "fps": ${fps} } }`],
      ['vid.config.mjs', (fps: number) => `export default { render: { fps: ${fps} } }`],
      ['vid.config.ts', (fps: number) => `export default { render: { fps: ${fps} as number } }`],
    ],
    2,
  ),
)('a change of %s holds at once; while it is broken, the page hears why', async (name, text) => {
  const folder = await makeProject({ 'index.html': SQUARE, [name]: text(25) })
  const { page, cookie, ask, preview } = await openPreview(folder)
  const next = await follow(page, cookie)
  const rate = async () => json<CompositionReply>(await ask('/api/composition?entry=index.html')).fps
  expect(await rate()).toBe(25)
  await writeFile(join(folder, name), text(50))
  expect(await next()).toMatchObject({ type: 'change', files: [name] })
  expect(await rate()).toBe(50)
  await writeFile(join(folder, name), 'export default {')
  await next()
  const reply = await ask('/api/composition?entry=index.html')
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('VID_CONFIG_BROKEN')
  const headers = { 'sec-fetch-dest': 'iframe' }
  expect((await send(`${preview.origin}/index.html`, { headers })).text).toContain('VID_CONFIG_BROKEN')
  await writeFile(join(folder, name), text(60))
  await next()
  expect(await rate()).toBe(60)
})

test('a folder without a composition is refused', async () => {
  const folder = await makeProject({ 'about.html': '<p>Another page</p>' })
  await expect(createPreview({ projectDir: folder })).rejects.toMatchObject({ code: 'VID_PREVIEW_EMPTY' })
})

test('two previews at once listen at ports of their own, with cookies of their own', async () => {
  const folders = [await makeProject(), await makeProject()] as const
  const [one, other] = await Promise.all([openPreview(folders[0]), openPreview(folders[1])])
  expect(one.preview.port).not.toBe(other.preview.port)
  expect((await other.ask('/api/project', { headers: { cookie: one.cookie } })).status).toBe(401)
  const both = `${one.cookie}; ${other.cookie}`
  expect((await other.ask('/api/project', { headers: { cookie: both } })).status).toBe(200)
})

test('a port that is asked for and taken is refused, and nothing is left behind', async () => {
  const { preview } = await openPreview(await makeProject())
  const folder = await makeProject()
  const again = createPreview({ projectDir: folder, cwd: folder, port: preview.port })
  await expect(again).rejects.toMatchObject({ code: 'VID_SERVER_LISTEN' })
})
