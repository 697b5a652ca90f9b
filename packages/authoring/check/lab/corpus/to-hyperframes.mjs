// The pages of the corpus in the dialect of HyperFrames, so that its check sees the same compositions.
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { path } from '../../../../../scripts/workspaces.mjs'

/** Addresses of libraries, and the local files that stand for them: its browser has no network here. */
const LIBRARIES = {
  'gsap.min.js': 'node_modules/gsap/dist/gsap.min.js',
  'anime.umd.min.js': 'node_modules/animejs/dist/bundles/anime.umd.min.js',
  'lottie.min.js': 'node_modules/lottie-web/build/player/lottie.min.js',
}

const attribute = (tag, name) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

/** `tag` with an attribute, unless it has one of this name. */
const withAttribute = (tag, name, value) =>
  attribute(tag, name) === undefined ? tag.replace(/\/?>$/, ` ${name}="${value}">`) : tag

/** A timed element gets what HyperFrames asks for: an id, a track, a length, and the class `clip` unless it is a medium. */
const timedTag = (tag, track, pageSeconds) => {
  const isMedium = /^<(?:audio|video)\b/.test(tag)
  const start = Number(attribute(tag, 'data-start'))
  const classed = /\sclass="/.test(tag)
    ? tag.replace(/\sclass="/, ' class="clip ')
    : withAttribute(tag, 'class', 'clip')
  const tracked = withAttribute(isMedium ? tag : classed, 'data-track-index', track)
  const named = withAttribute(tracked, 'id', `clip-${track}`)
  return isMedium || Number.isNaN(start) ? named : withAttribute(named, 'data-duration', pageSeconds - start)
}

const rootOf = (page) => /<div id="root"[^>]*>/.exec(page)?.[0]

const convertRoot = (page) => {
  const root = rootOf(page)
  const [width, height, name] = ['data-width', 'data-height', 'data-composition-id'].map((key) => attribute(root, key))
  // HyperFrames declares variables on <html>.
  const variables = /\sdata-composition-variables='[^']*'/.exec(root)?.[0] ?? ''
  const style = `<style>html, body { margin: 0; width: ${width}px; height: ${height}px; overflow: hidden }
@layer page { #root { position: relative; width: ${width}px; height: ${height}px; overflow: hidden } .clip { position: absolute; left: 0; top: 0 } }</style>`
  const timeline = page.includes('gsap.')
    ? ''
    : `<script src="lib/gsap.min.js"></script>
<script>window.__timelines = window.__timelines || {}; window.__timelines['${name}'] = gsap.timeline({ paused: true })</script>
`
  return page
    .replace('<html lang="en">', `<html lang="en"${variables}>`)
    .replace('</head>', `${style}</head>`)
    .replace(root, root.replace(variables, '').replace(/>$/, ' data-start="0">'))
    .replace(/<\/body>/, `${timeline}</body>`)
}

/** One page or script of an entry; files of other kinds stay as they are. */
export const toHyperframes = (text, file) => {
  if (!/\.(?:html|js)$/.test(file)) return text
  let track = 0
  const seconds = Number(/data-composition-id=[^>]*data-duration="([\d.]+)"/.exec(text)?.[1])
  const converted = text
    .replace(/<(?!div id="root")\w+[^>]*\sdata-start="[^>]*>/g, (tag) => timedTag(tag, track++, seconds))
    .replaceAll('__vid.getVariables', '__hyperframes.getVariables')
    .replaceAll("'vid-seek'", "'hf-seek'")
    .replaceAll('var(--size)', 'var(--hf-var-size)')
    .replace(/https:\/\/cdn\.jsdelivr\.net\/[^"]*\/([\w.-]+\.js)"/g, 'lib/$1"')
    .replace(
      /window\.__timelines = \{ (\w+): timeline \}/g,
      "window.__timelines = window.__timelines || {}; window.__timelines['$1'] = timeline",
    )
  return file === 'index.html' ? convertRoot(converted) : converted
}

/** Puts the libraries into a converted project. */
export const addLibraries = async (folder) => {
  await mkdir(join(folder, 'lib'), { recursive: true })
  for (const [name, source] of Object.entries(LIBRARIES)) await copyFile(path(source), join(folder, 'lib', name))
}
