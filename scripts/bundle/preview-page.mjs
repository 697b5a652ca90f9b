// The page of the preview: files that its server sends as they are.
import { readdirSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { recordBundled } from '../notices/bundled.mjs'
import { path } from '../workspaces.mjs'

const PROTOCOL = path('packages/base/protocol/src/index.ts')
const ROOT = path('packages/authoring/preview/src/page')
const DIST = path('packages/authoring/preview/dist/page')

/** What is written, relative to the repository; the page names all other files. */
export const previewPageOutputs = ['packages/authoring/preview/dist/page/index.html']

/** What the player loads later, and the preview never needs: it prepares all compositions, and shows no videos. */
const UNUSED = {
  '\0plain-composition':
    "export const preparePlainComposition = async () => { throw new Error('the preview has not prepared it') }",
  '\0hls-video': "export const openVideo = async () => { throw new Error('the preview shows no videos') }",
}

/** Leaves that out. */
const withoutUnused = {
  name: 'prepared-only',
  enforce: 'pre',
  resolveId: (name) => /\/(plain-composition|hls-video)\.[jt]s$/.exec(name)?.[1]?.replace(/^/, '\0'),
  load: (id) => UNUSED[id],
}

/** Writes the page; needs the built player. */
export const bundlePreviewPage = async () => {
  const { build } = await import('vite')
  const { output } = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    // From its sources, of which little is used: its built file holds all of them.
    plugins: [withoutUnused],
    // Without `development`, which the tests' NODE_ENV would add: under it, packages are sources that hold code of Node.
    resolve: { alias: { '@vid/protocol': PROTOCOL }, conditions: ['module', 'browser', 'production'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: DIST,
      emptyOutDir: true,
      target: ['chrome120', 'firefox121', 'safari17.4'],
      // Its policy allows no address that holds its data, except for pictures.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        treeshake: { moduleSideEffects: (id) => !id.startsWith(dirname(PROTOCOL)) },
      },
    },
  })
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds).filter((id) => id.startsWith('/'))
  const fonts = output.flatMap(({ originalFileNames = [] }) => originalFileNames)
  const files = [...modules, ...fonts.map((file) => resolve(ROOT, file))].map((file) => relative(path(''), file))
  recordBundled('packages/authoring/preview', 'page', files)
  if (!readdirSync(DIST).includes('index.html')) throw new Error('the page of the preview has no index.html')
}
