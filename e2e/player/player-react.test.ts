import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { COUNT_LEFT } from '../support/left-behind.ts'
import { readPage } from '../support/page-examples.ts'
import { openPage, prepared, startBrowser, startSite } from '../support/player-site.ts'
import { makePreviewProject } from '../support/preview-project.ts'
import { outside } from '../support/toolkit.ts'
import { here, scratch } from '../support/vid.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Ways to write the video, and the React that shows it. */
const WAYS = [
  ['18', 'video-any'],
  ['19', 'video-any'],
  ['19', 'video-19'],
] as const

/** The script of the page, with all of a React as it is while one works on a page. */
const pageScript = async (version: string, way: string, show: string) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { Video } from './${way}.tsx'
        import { ${show} } from './page.jsx'
        ${show}(Video)`,
      resolveDir: here('react'),
    },
    bundle: true,
    format: 'esm',
    write: false,
    jsx: 'automatic',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    alias: {
      '@vid/player/react': '/player/react.js',
      ...(version === '18' && { react: 'react-18', 'react-dom': 'react-dom-18' }),
    },
    external: ['/player/react.js'],
  })
  return outputFiles[0]?.text ?? ''
}

const openPageOf = async (version: string, way: string, show: string) => {
  const project = await makePreviewProject()
  const index = await readFile(join(project, 'index.html'), 'utf8')
  const second = index.replace('data-duration="4"', 'data-duration="2"')
  expect(second).not.toBe(index)
  await writeFile(join(project, 'second.html'), second)
  const { origin } = await startSite(project, {
    texts: {
      '/index.html': await prepared(project),
      '/second.html': await prepared(project, 'second.html'),
      '/page.js': await pageScript(version, way, show),
      '/host.html':
        '<!doctype html><body style="margin:0"><div id="app"></div><script type="module" src="/page.js"></script>',
    },
  })
  const page = await openPage(browser, `${origin}/host.html`, project, COUNT_LEFT)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) problems.push(message.text())
  })
  return { page, problems }
}

const outputOf = (page: Page) => page.$eval('output', ({ textContent }) => textContent)
const state = (page: Page) =>
  page.$eval('vid-player', ({ composition, frame, frames, volume, muted, className, shadowRoot }) => ({
    title: composition?.variables.title,
    frame,
    frames,
    volume,
    muted,
    className,
    hasControls: shadowRoot?.querySelector('button') !== null,
  }))
const isReady = (page: Page) => page.waitForFunction(() => document.querySelector('vid-player')?.readyState === 4)
const isTitled = (page: Page, title: string) =>
  page.waitForFunction(
    (title) => document.querySelector('vid-player')?.composition?.variables.title === title,
    {},
    title,
  )

test.each(WAYS)(
  'a page of React %s with %s plays, seeks, changes by its state, and leaves nothing',
  async (version, way) => {
    const { page, problems } = await openPageOf(version, way, 'showPage')
    await page.waitForSelector('#show')
    const before = await page.evaluate('__left()')
    await page.click('#show')
    await isReady(page)
    expect(await state(page)).toEqual({
      title: 'one',
      frame: 0,
      frames: 120,
      volume: 0.25,
      muted: true,
      className: 'video',
      hasControls: true,
    })
    expect(await outputOf(page)).toBe('0 rests, loads 1')
    await page.click('#play')
    await page.waitForFunction(() => (document.querySelector('vid-player')?.frame ?? 0) > 5)
    await expect.poll(() => outputOf(page)).toMatch(/^\d+ plays, loads 1$/)
    await page.evaluate(() => document.querySelector('vid-player')?.pause())
    await page.waitForFunction(() => /rests/.test(document.querySelector('output')?.textContent ?? ''))
    await page.click('#seek')
    await page.waitForFunction(() => /^45 rests/.test(document.querySelector('output')?.textContent ?? ''))

    await page.click('#controls')
    await page.waitForFunction(() => !document.querySelector('vid-player')?.shadowRoot?.querySelector('button'))
    // What React 18 writes for a property that is off.
    const attribute = await page.$eval('vid-player', (player) => player.getAttribute('controls'))
    expect(attribute).toBe(version === '18' ? 'false' : null)
    await page.click('#controls')
    await page.waitForSelector('vid-player >>> button[aria-label="Play"]')
    await page.click('#loud')
    await page.waitForFunction(() => document.querySelector('vid-player')?.muted === false)
    expect(await state(page)).toMatchObject({ volume: 1, frame: 45 })
    expect(await outputOf(page)).toBe('45 rests, loads 1')

    await page.click('#title')
    await isTitled(page, 'two')
    await page.waitForFunction(() => /^45 rests, loads 2$/.test(document.querySelector('output')?.textContent ?? ''))
    await page.click('#src')
    await page.waitForFunction(() => document.querySelector('vid-player')?.frames === 60)
    expect(await state(page)).toMatchObject({ title: 'two', frame: 45 })

    await page.click('#show')
    await page.waitForFunction('window.frames.length === 0')
    await expect.poll(() => page.evaluate('__left()')).toEqual(before)
    // Removed while it loads.
    for (let round = 0; round < 5; round++) await page.click('#show')
    await isReady(page)
    await page.click('#show')
    await expect.poll(() => page.evaluate('__left()')).toEqual(before)
    expect(problems).toEqual([])
  },
)

// React 19 sets no property of an element that a server has written.
test.each(['18', '19'])('a page of React %s that a server has written is taken over', async (version) => {
  const { page, problems } = await openPageOf(version, 'video-any', 'takeOverPage')
  await isReady(page)
  await page.click('#seek')
  await page.waitForFunction(() => /^45 rests/.test(document.querySelector('output')?.textContent ?? ''))
  expect(await state(page)).toMatchObject({ title: 'one', volume: 0.25, hasControls: true })
  expect(problems).toEqual([])
})

test.each(
  partOf(
    [
      ['19', 'react', ['video-any', 'video-19', 'mistakes'], [0, 1]],
      ['18', 'react-18', ['video-any', 'mistakes'], [1]],
    ] as const,
    1,
  ),
)('TypeScript knows the element in JSX of React %s', async (_version, types, ways, examples) => {
  const folder = await scratch()
  const modules = here('../node_modules')
  const shown = [...(await readPage('player.md')).matchAll(/^```tsx\n(.*?)^```$/gms)]
  expect(shown).toHaveLength(2)
  await symlink(modules, join(folder, 'node_modules'))
  const files = ways.map((way) => here(`react/${way}.tsx`))
  for (const number of examples) {
    files.push(join(folder, `example-${number}.tsx`))
    await writeFile(join(folder, `example-${number}.tsx`), shown[number]?.[1] ?? '')
  }
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    module: 'preserve',
    jsx: 'react-jsx',
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: {
      react: [`${modules}/@types/${types}`],
      'react/*': [`${modules}/@types/${types}/*`],
    },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const { stdout, stderr } = await outside(folder, `${modules}/.bin/tsc`, '--listFiles')
  expect(stdout).toContain(`/@types/${types}/index.d.ts\n`)
  expect(stdout).toContain(`${ways[0]}.tsx\n`)
  // The declarations that the player brings are looked at too; what is wrong in those of others is theirs.
  const problems = stdout.split('\n').filter((line) => /\berror TS\d+:/.test(line))
  expect([stderr, problems.filter((line) => !/^\S*node_modules\//.test(line))]).toEqual(['', []])
})
