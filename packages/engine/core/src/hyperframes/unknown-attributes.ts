import { parseJson } from '@vid/protocol'
import { parseJsonObject, spotAt } from '../lint/element.ts'
import { attributeOf, type Element } from '../source/tree.ts'
import { parseDeclarations } from '../variables/declarations.ts'
import { type Note, warning } from './note.ts'
import { onlyMetaRoot, stageOf } from './roots.ts'
import { type ImportedFile, withKnownTypes } from './source.ts'

const SOUND_EFFECTS = 'Put the effect into the sound file with another program.'
const STUDIO = 'Look at the element in `vid preview`, and write its place into its style.'

/** Attributes that change picture or sound in HyperFrames and mean nothing to vid, each with what to do. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'data-automation': 'Give the volume as keyframes in data-volume, or animate the `volume` of the element.',
  'data-audio-group': SOUND_EFFECTS,
  'data-fx-chain': SOUND_EFFECTS,
  'data-fx-carve': SOUND_EFFECTS,
  'data-vfx-chain': 'Use CSS filters, or draw the effect on a canvas.',
  'data-vfx-for': 'Use CSS filters, or draw the effect on a canvas.',
  'data-safe-frames': 'List the shapes in data-shapes of the root, lay it out for each, and render them with --shapes.',
  'data-requires-webgpu': 'Draw with WebGL or on a 2D canvas; WebGPU is not there in a render.',
}

/** Attributes of the editor that leave the picture as it is. */
const HARMLESS =
  /^data-hf-(id|ignore|snippet|autostamped|authored-\w+|auto-start|media-start-basis|svg-reference-aliases)$/

const GRADING_FIELDS = ['preset', 'intensity', 'adjust', 'colorSpace']
const GRADING_PRESETS = ['neutral', 'warm-daylight', 'clean-studio', 'mono-clean', 'vintage-wash', 'deep-contrast']

const gradingProblems = (json: string): string[] => {
  const read = parseJsonObject(json)
  if ('reason' in read) return []
  const fields = Object.keys(read.value).filter((field) => !GRADING_FIELDS.includes(field))
  const { preset } = read.value
  const isUnknown = typeof preset === 'string' && !preset.startsWith('$') && !GRADING_PRESETS.includes(preset)
  return [
    ...fields.map((field) => `The field "${field}" of data-color-grading has no effect in vid.`),
    ...(isUnknown ? [`vid has no colour grading "${preset}".`] : []),
  ]
}

const attributeNotes = (file: string, element: Element): Note[] =>
  element.attrs.flatMap(({ name, value }) => {
    const hint = WITHOUT_EFFECT[name] ?? (/^data-hf-/.test(name) && !HARMLESS.test(name) ? STUDIO : undefined)
    if (hint !== undefined)
      return [warning('attribute', spotAt(file, element, `${name} has no effect in vid.`, name), hint)]
    if (name !== 'data-color-grading') return []
    return gradingProblems(value).map((message) =>
      warning(
        'grading',
        spotAt(file, element, message, name),
        `vid has the presets ${GRADING_PRESETS.join(', ')}, and the fields ${GRADING_FIELDS.join(', ')}; use a CSS filter for the rest.`,
      ),
    )
  })

/** A nested composition always begins at its own beginning, and plays at its own speed. */
const hostNotes = (file: string, element: Element): Note[] =>
  attributeOf(element, 'data-composition-src') === null
    ? []
    : ['data-playback-start', 'data-media-start', 'data-playback-rate']
        .filter((name) => ![null, '0', '1'].includes(attributeOf(element, name)))
        .map((name) =>
          warning(
            'attribute',
            spotAt(file, element, `${name} has no effect on an embedded composition in vid.`, name),
            'Change the times inside the embedded file.',
          ),
        )

/** The picture begins at the one and the sound at the other in HyperFrames. */
const twoStarts = (file: string, element: Element): Note[] => {
  const media = attributeOf(element, 'data-media-start')
  const playback = attributeOf(element, 'data-playback-start')
  if (media === null || playback === null || media === playback) return []
  const message = `data-media-start="${media}" and data-playback-start="${playback}" differ; vid uses the first.`
  return [warning('attribute', spotAt(file, element, message, 'data-playback-start'), 'Keep one of the two.')]
}

const variableNotes = (file: string, element: Element): Note[] => {
  const json = attributeOf(element, 'data-composition-variables')
  if (json === null) return []
  const read = readList(withKnownTypes(json))
  const usable = new Set(parseDeclarations(withKnownTypes(json)).map(({ id }) => id))
  return read
    .filter(({ id }) => typeof id === 'string' && !usable.has(id))
    .map(({ id }) =>
      warning(
        'variable',
        spotAt(
          file,
          element,
          `vid cannot use the declaration of the variable "${String(id)}".`,
          'data-composition-variables',
        ),
        'vid has the types string, number, color (#rrggbb), boolean and enum; give fonts and pictures as text.',
      ),
    )
}

const readList = (json: string): readonly { readonly id?: unknown }[] => {
  // `vid lint` reports JSON that cannot be read.
  const list = parseJson(json)
  return Array.isArray(list) ? list.filter((item) => item instanceof Object) : []
}

/** The picture has to be an element that is seen. */
const metaRoot = (source: ImportedFile): Note[] => {
  const meta = onlyMetaRoot(source)
  if (meta === undefined || stageOf(source)) return []
  const message = 'The composition is named in a <meta> only, so vid has no element to draw.'
  const hint = 'Move data-composition-id, data-width and data-height to the element that holds everything.'
  return [{ ...warning('root', spotAt(source.file, meta, message), hint), severity: 'error' }]
}

/** What the attributes of a file ask for that vid does not do. */
export const unknownAttributes = (source: ImportedFile): Note[] => [
  ...metaRoot(source),
  ...source.elements.flatMap((element) =>
    [attributeNotes, hostNotes, twoStarts, variableNotes].flatMap((notesOf) => notesOf(source.file, element)),
  ),
]
