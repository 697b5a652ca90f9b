// Compositions for the scripts that render on AWS.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words of scenes, each of its own, so that one edited word is one edited scene. */
export const sceneWords = (scenes) => Array.from({ length: scenes }, (_, index) => `Scene ${index + 1}`)

const COLOURS = ['#803020', '#208030', '#203080', '#807020', '#702080', '#207080']

const scene = (seconds, word, index) =>
  `<section id="scene-${index}" data-start="${index * seconds}" data-duration="${seconds}" style="position:absolute;inset:0;background:${COLOURS[index % COLOURS.length]}"><h1>${word}</h1><i></i></section>`

/**
 * A composition of scenes of one length, each with a word and a bar that moves; the word of the last scene is a variable.
 * @param {{ scenes: number, seconds: number, words?: readonly string[], width?: number, height?: number }} options
 */
const compositionPage = ({ scenes, seconds, words = sceneWords(scenes), width = 320, height = 180 }) => {
  const last = scenes - 1
  const sections = Array.from({ length: scenes }, (_, index) =>
    scene(seconds, index === last ? '' : words[index], index),
  )
  return `<!doctype html>
<html data-composition-variables='[{"id":"last","type":"string","label":"Last word","default":"End"}]'>
<head><style>
#film { width: ${width}px; height: ${height}px; color: white; font-family: Inter, sans-serif }
h1 { margin: 20px } i { position: absolute; left: 20px; bottom: 20px; width: 40px; height: 30px; background: white }
</style><script src="https://cdn.jsdelivr.net/npm/gsap@3.15.0/dist/gsap.min.js"></script></head>
<body><div id="film" data-composition-id="film" data-width="${width}" data-height="${height}" data-duration="${scenes * seconds}">
${sections.join('\n')}
</div><script>
const timeline = gsap.timeline({ paused: true })
for (let n = 0; n < ${scenes}; n += 1)
  timeline.fromTo('#scene-' + n + ' i', { x: 0 }, { x: 220, duration: ${seconds}, ease: 'none' }, n * ${seconds})
document.querySelector('#scene-${last} h1').replaceChildren(__vid.getVariables().last)
window.__timelines = { film: timeline }
</script></body></html>`
}

/** Writes a composition into a folder of its own, and returns the folder. */
export const writeComposition = (parent, name, options) => {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), compositionPage(options))
  return folder
}
