import { loadComposition, readClipTree } from '@vid/core'
import { readVariableUses } from '@vid/core/lint'
import { secondsOf } from '@vid/protocol'
import {
  type CompositionOptions,
  type CompositionSettings,
  type OpenComposition,
  type Renderer,
  stillsAt,
} from '@vid/render'
import { readOutline, readPageBoxes } from '../outline/read-outline.ts'
import { readSound } from '../sound/read-sound.ts'
import { mergeClips } from './merge-clips.ts'
import type { CompositionTimeline } from './timeline-schema.ts'

/** What is asked about a composition. */
export interface TimelineSettings extends CompositionSettings {
  /** A time such as `3.2s` or `50%`, of which everything in the picture is listed. */
  readonly at?: string
}

/** The lowest and the highest of some gains. */
const rangeOf = (gains: readonly number[]) =>
  gains.reduce(({ min, max }, gain) => ({ min: Math.min(min, gain), max: Math.max(max, gain) }), {
    min: gains[0] ?? 0,
    max: 0,
  })

/** Media elements in order of time. */
const mediaOf = ({ media, audio }: OpenComposition['plan']): CompositionTimeline['media'] =>
  [...new Map([...media, ...audio].map((track) => [track.id, track])).values()]
    .map(({ kind, src, start, end, mediaStart, rate, loop, volume, volumeCurve, pan, muted, source }) => ({
      kind,
      src,
      start,
      end,
      mediaStart,
      sourceDuration: source.duration,
      rate,
      loop,
      volume,
      ...(volumeCurve && { volumeRange: rangeOf(volumeCurve) }),
      ...(pan !== undefined && { pan }),
      muted,
    }))
    .sort((one, other) => one.start - other.start)

/** Reads an open composition; the page is asked at its first frame, and at the time of `at`. */
const timelineOf = async (open: OpenComposition, { at }: TimelineSettings): Promise<CompositionTimeline> => {
  const { run, plan, request } = open
  const { projectDir, entry } = request
  const { signal } = run
  const page = run.examine(plan)
  try {
    const first = await page.show(0)
    const outline = await readOutline(first)
    const frame = at === undefined ? undefined : stillsAt(at, plan)[0]?.frame
    const boxes = frame === undefined ? [] : await readPageBoxes(frame === 0 ? first : await page.show(frame))
    const { composition, html } = await loadComposition(projectDir, entry, { signal })
    const { declarations, file, id } = composition
    const { shape } = plan.composition
    // The clips are those of the file as it is written, the size that of the shape.
    const { width, height } = shape
      ? (await loadComposition(projectDir, entry, { signal, shape })).composition
      : composition
    const ids = declarations.map((declaration) => declaration.id)
    const [tree, uses, sound] = await Promise.all([
      readClipTree(projectDir, { file, html }, { signal }),
      readVariableUses(projectDir, entry, ids, { signal }),
      readSound(open),
    ])
    return {
      file,
      id,
      width,
      height,
      fps: plan.fps,
      frames: plan.frames,
      duration: plan.duration,
      stateful: plan.composition.stateful,
      clips: mergeClips(outline.clips, tree, plan.duration),
      media: mediaOf(plan),
      variables: declarations.map((declaration) => ({
        id: declaration.id,
        type: declaration.type,
        label: declaration.label,
        default: declaration.default,
        value: plan.variables[declaration.id] ?? declaration.default,
        uses: uses
          .filter((use) => use.id === declaration.id)
          .map(({ file: place, line, how }) => ({ file: place, line, how })),
      })),
      motions: outline.motions,
      sound,
      ...(frame !== undefined && { shown: { frame, time: secondsOf(frame, plan.fps), boxes } }),
    }
  } finally {
    await page.close()
  }
}

/** What is in a composition: clips with their sources, media, variables, animations and sound. */
export const readTimeline = async (
  renderer: Pick<Renderer, 'withComposition'>,
  settings: TimelineSettings,
  options: Pick<CompositionOptions, 'signal' | 'onWarning' | 'onConsole'>,
): Promise<CompositionTimeline> => {
  const { at: _, ...composition } = settings
  const { result } = await renderer.withComposition(composition, (open) => timelineOf(open, settings), options)
  return result
}
