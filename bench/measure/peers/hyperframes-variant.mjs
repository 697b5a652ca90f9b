// A composition in the words of HyperFrames: the reverse of `vid import hyperframes`.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { path } from '../../../scripts/workspaces.mjs'

/** Addresses of libraries, by the files of their packages, and the names under which they are beside a page. */
const LIBRARIES = {
  'gsap/dist/gsap.min.js': 'gsap.min.js',
  'animejs/dist/bundles/anime.umd.min.js': 'anime.umd.min.js',
  'lottie-web/build/player/lottie.min.js': 'lottie.min.js',
  // An import map needs a path.
  'three/build/three.module.js': './three.module.js',
}
/** Loaded by another file of a library. */
const PARTS = ['three/build/three.core.js']

const addressOf = (file) => {
  const [name, ...rest] = file.split('/')
  return new RegExp(`https://cdn\\.jsdelivr\\.net/npm/${name}@[\\d.]+/${rest.join('/').replaceAll('.', '\\.')}`, 'g')
}
const DECLARED = /data-composition-variables='([^']*)'/

/** vid places timed children of the root, HyperFrames leaves that to the author. */
const PLACE = '<style>:where([data-composition-id] > [data-start]) { position: absolute; left: 0; top: 0 }</style>'

/** Files of Inter that vid has: HyperFrames would take others of its own, which are a little wider. */
const FACES = { 400: '400Regular', 500: '500Medium', 600: '600SemiBold', 700: '700Bold', 800: '800ExtraBold' }
const FONTS = Object.keys(FACES).map(
  (weight) => `@font-face { font-family: Inter; font-weight: ${weight}; src: url(inter-${weight}.ttf) }`,
)
const FONT_STYLE = `<style>${FONTS.join(' ')}</style>`

/** Defaults as properties of CSS: HyperFrames sets such properties only for values that are given. */
const propertiesOf = (html) => {
  const [, declared = '[]'] = DECLARED.exec(html) ?? []
  const properties = JSON.parse(declared)
    .filter(({ type, default: value }) => type !== 'string' && value !== undefined)
    .map(({ id, default: value }) => `--${id}: ${value};`)
  return properties.length === 0 ? '' : `<style>:root { ${properties.join(' ')} }</style>`
}

/** The HTML of a composition with the names that HyperFrames has, and libraries beside it: neither tool fetches anything. */
export const hyperframesVariant = (html) => {
  const local = Object.entries(LIBRARIES).reduce((text, [file, name]) => text.replaceAll(addressOf(file), name), html)
  const named = local
    .replaceAll('__vid', '__hyperframes')
    .replaceAll('vid-seek', 'hf-seek')
    .replace('<head>', () => `<head>${PLACE}${FONT_STYLE}${propertiesOf(html)}`)
  // Without this it waits 45 seconds for a timeline of GSAP.
  const isTimeline = html.includes('__timelines') || html.includes('data-no-timeline')
  return isTimeline ? named : named.replace('data-composition-id=', 'data-no-timeline data-composition-id=')
}

/** Copies a composition's folder to `folder`, changed for HyperFrames. */
export const writeVariant = (source, folder) => {
  cpSync(source, folder, { recursive: true })
  const page = join(folder, 'index.html')
  const { resolve } = createRequire(path('packages/engine/assets/package.json'))
  const html = readFileSync(page, 'utf8')
  const used = Object.keys(LIBRARIES).filter((file) => addressOf(file).test(html))
  const files = used.some((file) => file.startsWith('three/')) ? [...used, ...PARTS] : used
  for (const file of files) cpSync(join(path('node_modules'), file), join(folder, basename(file)))
  writeFileSync(page, hyperframesVariant(html))
  for (const [weight, face] of Object.entries(FACES))
    cpSync(resolve(`@expo-google-fonts/inter/${face}/Inter_${face}.ttf`), join(folder, `inter-${weight}.ttf`))
}
