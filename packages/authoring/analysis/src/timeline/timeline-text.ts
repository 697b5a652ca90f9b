import { printable } from '@vid/protocol'
import { createChart, shortSeconds } from './chart.ts'
import type { CompositionTimeline } from './timeline-schema.ts'

type Clip = CompositionTimeline['clips'][number]

/** Widest line. */
const COLUMNS = 80

const cut = (text: string) => (text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text)

const placeOf = ({ file, line }: { readonly file: string | null; readonly line: number | null }) =>
  file === null ? 'by a script' : line === null ? file : `${file}:${line}`

/** A start that refers to another element is shown as it is written too. */
const writtenText = ({ written, depth }: Clip) =>
  written === null || /^[\d.\s]*$/.test(written) ? [] : [cut(`${'  '.repeat(depth + 1)}start "${printable(written)}"`)]

const clipLines = ({ clips, duration }: CompositionTimeline): string[] => {
  const { row } = createChart(duration)
  let track: number | undefined
  return clips.flatMap((clip) => {
    const heading = clip.depth === 0 && clip.track !== track ? [`track ${clip.track}`] : []
    if (clip.depth === 0) track = clip.track
    const name = `${'  '.repeat(clip.depth + 1)}${clip.name}`
    return [...heading, row({ name, start: clip.start, end: clip.end, place: placeOf(clip) }), ...writtenText(clip)]
  })
}

const volumeText = ({
  volume,
  volumeRange,
}: Pick<CompositionTimeline['media'][number], 'volume' | 'volumeRange'>): string =>
  volumeRange
    ? `volume ${shortSeconds(volumeRange.min)} to ${shortSeconds(volumeRange.max)} over time`
    : `volume ${shortSeconds(volume)}`

const mediaLines = ({ media, duration }: CompositionTimeline): string[] => {
  const { row } = createChart(duration)
  return media.flatMap(({ kind, src, start, end, mediaStart, sourceDuration, rate, loop, muted, ...levels }) => {
    const facts = [
      `from ${shortSeconds(mediaStart)} of ${shortSeconds(sourceDuration)} s`,
      ...(rate === 1 ? [] : [`rate ${rate}`]),
      ...(loop ? ['loop'] : []),
      muted ? 'no sound' : volumeText(levels),
      ...(levels.pan && !muted ? [`pan ${shortSeconds(levels.pan)}`] : []),
    ]
    const name = `  ${src.split('/').at(-1) ?? src}`
    return [row({ name, start, end, place: kind, mark: '▒' }), cut(`    ${printable(src)}: ${facts.join(', ')}`)]
  })
}

const variableLines = ({ variables }: CompositionTimeline): string[] =>
  variables.flatMap(({ id, type, value, uses }) => [
    cut(`  ${printable(id)} (${type}) ${printable(JSON.stringify(value) ?? '')}`),
    ...(uses.length === 0
      ? ['    not used in the text of the project']
      : uses.map(({ file, line, how }) => cut(`    ${printable(file)}:${line} ${how}`))),
  ])

const motionLines = ({ motions, duration }: CompositionTimeline): string[] => {
  const { row } = createChart(duration)
  return motions.flatMap(({ target, kind, name, properties, start, end }) => [
    row({ name: `  ${target}`, start, end: end ?? duration, place: kind, mark: '▬' }),
    cut(`    ${printable([name, ...properties].join(' '))}${end === null ? ', without an end' : ''}`),
  ])
}

type Sound = NonNullable<CompositionTimeline['sound']>

const levelText = ({ integrated, shortTerm, truePeak }: Sound): string =>
  [
    integrated === null ? 'silent' : `${integrated.toFixed(1)} LUFS integrated`,
    ...(shortTerm === null ? [] : [`${shortTerm.toFixed(1)} in the loudest 3 s`]),
    ...(truePeak === null ? [] : [`true peak ${truePeak.toFixed(1)} dB`]),
  ].join(', ')

/** Words in lines of at most 80 columns, with an indent. */
const wrap = (text: string): string[] =>
  text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < COLUMNS) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`  ${word}`)
    return lines
  }, [])

const soundLines = ({ sound, duration }: CompositionTimeline, linesOf: (text: string) => string[]): string[] => {
  if (!sound) return ['  nothing is heard']
  const { row } = createChart(duration)
  const { onsets, silent, loud } = sound
  return [
    `  ${levelText(sound)}`,
    ...(onsets.length === 0 ? [] : linesOf(`onsets at ${onsets.map(shortSeconds).join(', ')} s`)),
    ...silent.map((stretch) => row({ name: '  silent', ...stretch, mark: '░' })),
    ...loud.map((stretch) => row({ name: '  loud', ...stretch, mark: '▓' })),
  ]
}

const shownLines = ({ shown }: CompositionTimeline): string[] =>
  (shown?.boxes ?? []).flatMap(({ element, text, x, y, width, height }) => {
    const box = `${Math.round(width)}x${Math.round(height)} at ${Math.round(x)},${Math.round(y)}`
    return [cut(`  ${printable(element)} ${box}${text === undefined ? '' : ` "${printable(text)}"`}`)]
  })

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines])

/** A composition in lines of at most 80 columns. */
export const timelineText = (composition: CompositionTimeline): readonly string[] => {
  const { id, file, width, height, fps, frames, duration, stateful, shown } = composition
  const { axis } = createChart(duration)
  return [
    cut(`${printable(id)} (${file}): ${width}x${height}, ${shortSeconds(duration)} s, ${frames} frames at ${fps} fps`),
    ...(stateful ? ['A frame depends on the frames before it.'] : []),
    '',
    axis(),
    ...clipLines(composition),
    ...section('media', mediaLines(composition)),
    ...section('animations', motionLines(composition)),
    ...section(
      'sound',
      soundLines(composition, (text) => [cut(`  ${text}`)]),
    ),
    ...section('variables', variableLines(composition)),
    ...section(`in the picture at ${shortSeconds(shown?.time ?? 0)} s, frame ${shown?.frame}`, shownLines(composition)),
  ]
}

/** The sound of a composition alone, in lines of at most 80 columns. */
export const soundText = (composition: CompositionTimeline): readonly string[] => [
  createChart(composition.duration).axis(),
  ...soundLines(composition, wrap),
]
