import type { PathRefusal } from '@vid/system'
import { readNumber } from '../../source/numbers.ts'
import { attributeOf } from '../../source/tree.ts'
import { parseDeclarations } from '../../variables/declarations.ts'
import { parseJsonObject, spotAt } from '../element.ts'
import { example, PICTURE } from '../example.ts'
import { referencesOf } from '../project/references.ts'
import type { LintRule } from '../rule.ts'

/** Allowed range of each media attribute. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  'data-playback-rate': [0.1, 5],
  'data-volume': [0, 3.98],
  'data-media-start': [0, Infinity],
  'data-playback-start': [0, Infinity],
}

const music = (attributes: string) =>
  example({ body: `<audio src="music.mp3" data-start="0" ${attributes}></audio>` }, { 'music.mp3': '' })

const photo = (grading: string) =>
  example({ body: `<img src="photo.svg" data-color-grading='${grading}'>` }, { 'photo.svg': PICTURE })

/** Smaller inlined media are icons and patterns, which are harmless. */
const MAX_INLINE_CHARACTERS = 4096
const MEDIA = /^data:(image|video|audio|font|application)\/[^,]*;base64,/i

const inlined = (url: string) =>
  `${url.slice(0, url.indexOf(','))},… puts ${url.length} characters of media into the text.`

const INSTALL = 'Run "npm install" in the project\'s folder; if package.json does not list the package, add it.'

const PROBLEMS: Readonly<Record<PathRefusal, string>> = {
  missing: 'does not exist',
  outside: 'is outside the project, by its path or by a link; such links are not followed',
  hidden: 'is hidden or in a hidden folder, and hidden files are not read',
  malformed: 'is not a valid path of a project file',
}

const MEDIA_TAGS = new Set(['video', 'audio', 'source', 'img'])
/** Media that are text: SVG pictures and playlists. */
const TEXT_MEDIA = /<svg\b|^<\?xml|^#EXTM3U/i
const CLIP = '<video src="clip.mp4" data-start="0" muted></video>'

/** Rules about pictures, video and sound. */
export const mediaRules: readonly LintRule[] = [
  {
    name: 'media-range',
    severity: 'warning',
    what: 'A `data-playback-rate`, `data-volume` or `data-media-start` outside its range.',
    why: 'The value is clamped to the range or ignored, so the clip does not play as written.',
    hint: 'Use a rate from 0.1 to 5, a volume from 0 to 3.98, and a start of 0 or more.',
    bad: music('data-volume="80"'),
    good: music('data-volume="0.8"'),
    *check({ files }) {
      for (const { file, elements } of files)
        for (const element of elements)
          for (const [name, [min, max]] of Object.entries(RANGES)) {
            const text = attributeOf(element, name)
            const value = readNumber(text)
            // Keyframes have a rule of their own.
            if (name === 'data-volume' && text?.includes(':')) continue
            if (text !== null && (value === null || value < min || value > max))
              yield spotAt(
                file,
                element,
                `${name}="${text}" is not a number from ${min}${max === Infinity ? '' : ` to ${max}`}.`,
                name,
              )
          }
    },
  },
  {
    name: 'color-grading-json',
    severity: 'error',
    what: 'A `data-color-grading` that is not a JSON object.',
    why: 'The element is shown without colour grading.',
    hint: 'Write a JSON object such as { "preset": "warm-daylight" }, in single quotes.',
    bad: photo('warm-daylight'),
    good: photo('{ "preset": "warm-daylight" }'),
    *check({ files }) {
      for (const { file, elements } of files)
        for (const element of elements) {
          const text = attributeOf(element, 'data-color-grading')
          const read = text === null ? null : parseJsonObject(text)
          if (read && 'reason' in read)
            yield spotAt(file, element, `data-color-grading is unusable: ${read.reason}`, 'data-color-grading')
        }
    },
  },
  {
    name: 'missing-asset',
    severity: 'error',
    what: 'A reference to a picture, video, sound, script, style sheet or font whose file is not in the project.',
    why: 'It is missing in the video.',
    hint: 'Correct the path or add the file; symbolic links that leave the project are not followed.',
    bad: example({ body: '<img src="logo.svg">' }),
    good: example({ body: '<img src="logo.svg">' }, { 'logo.svg': PICTURE }),
    *check(project) {
      for (const { spot, url, from } of referencesOf(project)) {
        const path = project.fileOf(from, url)
        const refusal = path === null ? null : project.refusal(path)
        if (path === null || refusal === null) continue
        const problem = path.startsWith('..') ? PROBLEMS.outside : PROBLEMS[refusal]
        const message = `"${url}" refers to the file "${path}", which ${problem}.`
        const meant = refusal === 'missing' ? project.inOtherCase(path) : undefined
        const isPackage = refusal === 'missing' && /(?:^|\/)node_modules\//.test(path)
        const install = isPackage ? INSTALL : undefined
        const hint = meant ? `Write "${meant}", with the file's upper and lower case.` : install
        yield { ...spot, message, ...(hint && { hint }) }
      }
    },
  },
  {
    name: 'text-as-media',
    severity: 'error',
    what: 'A video, sound or picture whose file contains text, such as a web page saved as a video file.',
    why: 'It cannot be decoded, so it is missing in the video.',
    hint: 'Open the file in a text editor to see its content, and download the media again.',
    bad: example({ body: CLIP }, { 'clip.mp4': '<!doctype html>\n<title>404: Not found</title>\n' }),
    good: example({ body: CLIP }, { 'clip.mp4': '' }),
    *check(project) {
      for (const { file, elements } of project.files)
        for (const element of elements) {
          const src = MEDIA_TAGS.has(element.tagName) ? attributeOf(element, 'src') : null
          const path = src === null ? null : project.fileOf(file, src)
          if (src === null || path === null || project.refusal(path) !== null) continue
          const text = project.textStart(path)
          if (text === undefined || TEXT_MEDIA.test(text)) continue
          const isPointer = text.startsWith('version https://git-lfs')
          const content = /^<(?:!doctype html|html|head|body)\b/i.test(text) ? 'a web page' : 'text'
          yield {
            ...spotAt(file, element, `"${src}" is ${isPointer ? 'a pointer of Git LFS' : content}, not media.`, 'src'),
            ...(isPointer && { hint: 'Run "git lfs pull" in the project\'s folder.' }),
          }
        }
    },
  },
  {
    name: 'inlined-media',
    severity: 'warning',
    what: 'Media as base64 text in a variable, or larger than a small icon in an attribute or a style sheet.',
    why: 'Base64 is a third larger than the file, is copied with every plan and request, and may exceed their size limits.',
    hint: 'Move the media into a file and refer to it; pass media in variables as URLs.',
    bad: example({
      html: `data-composition-variables='[{ "id": "logo", "type": "string", "label": "Logo", "default": "data:image/png;base64,iVBORw0KGgo=" }]'`,
    }),
    good: example({
      html: `data-composition-variables='[{ "id": "logo", "type": "string", "label": "Logo", "default": "logo.png" }]'`,
    }),
    *check(project) {
      for (const { spot, url } of referencesOf(project))
        if (MEDIA.test(url) && url.length > MAX_INLINE_CHARACTERS) yield { ...spot, message: inlined(url) }
      for (const { file, elements } of project.files)
        for (const element of elements) {
          const values = Object.entries({
            'data-composition-variables': parseDeclarations(attributeOf(element, 'data-composition-variables')).map(
              (declaration) => declaration.default,
            ),
            'data-variable-values': valuesIn(attributeOf(element, 'data-variable-values')),
          })
          for (const [name, texts] of values)
            for (const text of texts)
              if (typeof text === 'string' && MEDIA.test(text)) yield spotAt(file, element, inlined(text), name)
        }
    },
  },
]

function valuesIn(json: string | null): readonly unknown[] {
  const read = json === null ? null : parseJsonObject(json)
  return read && 'value' in read ? Object.values(read.value) : []
}
