import { definePlugin, frameRange, type RenderPlan, secondsOf, usesCaptions } from '@vid/kernel'
import { fail } from '../errors.ts'
import { flattenCues } from '../model/flatten-cues.ts'
import { writeSrt } from '../text/srt.ts'
import { writeVtt } from '../text/write-vtt.ts'
import { type FilmCaptions, readFilmCaptions } from './film-captions.ts'

const NAME = '@vid/captions'

/** The ending of a file beside a video with the captions of a language. */
export const sidecarSuffix = (language: string, extension: '.vtt' | '.srt'): string =>
  language === '' ? extension : `.${language}${extension}`

const sidecarsOf = ({ language, cues }: FilmCaptions): NonNullable<RenderPlan['sidecars']> => [
  { suffix: sidecarSuffix(language, '.vtt'), text: writeVtt({ cues, ...(language !== '' && { language }) }) },
  // SRT without cues is an empty file.
  ...(cues.length > 0 ? [{ suffix: sidecarSuffix(language, '.srt'), text: writeSrt({ cues }) }] : []),
]

const textTracksOf = ({ language, label, cues }: FilmCaptions): NonNullable<RenderPlan['textTracks']> =>
  cues.length > 0 ? [{ language, label, vtt: writeVtt({ cues: flattenCues(cues) }) }] : []

/** Puts the captions of a composition into its plan, as text tracks or as files beside the video, where either is requested. */
export const captionsReader = definePlugin({
  name: NAME,
  setup(hooks) {
    // After the composition reader, which sets the length of the plan.
    hooks.plan.tapPromise({ name: NAME, stage: -40 }, async (plan, { request, sources, probe }) => {
      const isTrack = usesCaptions(request, 'track')
      const isSidecar = usesCaptions(request, 'sidecar')
      if (!isTrack && !isSidecar) return plan
      const { captions: uses = [] } = await probe(plan)
      if (uses.length === 0) throw fail('VID_CAPTIONS_NONE', { entry: request.entry })
      const { start, length } = frameRange(plan, request)
      const part = { start: secondsOf(start, plan.fps), end: secondsOf(start + length, plan.fps) }
      const captions = await readFilmCaptions(uses, part, sources)
      const textTracks = isTrack ? captions.flatMap(textTracksOf) : []
      return {
        ...plan,
        ...(textTracks.length > 0 && { textTracks }),
        ...(isSidecar && { sidecars: captions.flatMap(sidecarsOf) }),
      }
    })
  },
})
