import { type CheckSpot, type CompositionFacts, type CompositionVoice, defineCheck, withDefault } from '@vid/kernel'
import { Type } from '@vid/protocol'
import { mendEnding, mendPeak, mendVolumes } from './mends.ts'
import { allFrames, framesOf, short } from './spots.ts'

/** Steps between loud parts that are one stretch. */
const GAP = 5

/** Steps of levels in a second. */
const STEPS = 10

const nameOf = ({ media }: CompositionFacts, { media: index }: CompositionVoice) =>
  media[index]?.src.split('/').at(-1) ?? 'a sound'

const heardMedia = ({ sound }: CompositionFacts) => (sound?.voices ?? []).map(({ media }) => media)

const elementOf = ({ media }: CompositionFacts, { media: index }: CompositionVoice) => media[index]?.element ?? null

/** dB of full scale below which nothing is heard. */
const SILENCE_DB = -60

/** Whether nothing is heard of a sound that is not muted. */
const isUnheard = ({ media }: CompositionFacts, voice: CompositionVoice): boolean => {
  const { kind, volume = 0 } = media[voice.media] ?? {}
  return kind === 'audio' && volume > 0 && voice.levels.every((level) => level <= SILENCE_DB)
}

export const silence = defineCheck({
  name: '@vid/check/silence',
  rule: 'silence',
  level: 'warning',
  what: 'A stretch without sound in a video that has some, or a sound that is not heard at all.',
  why: 'It sounds as if something was lost, such as a narration whose file is missing.',
  hint: 'Let a sound last longer, or begin earlier. Where silence is meant, set the seconds of this rule.',
  options: Type.Object({ seconds: withDefault(Type.Number({ minimum: 0 }), 2) }),
  *check(facts, { seconds }): Generator<CheckSpot> {
    if (!facts.media.some(({ kind }) => kind === 'audio') && !facts.sound) return
    if (!facts.sound || facts.sound.truePeak === null) {
      yield {
        frames: allFrames(facts),
        message: 'The composition has sounds, and nothing is heard of them.',
        figures: {},
      }
      return
    }
    for (const voice of facts.sound.voices.filter((each) => isUnheard(facts, each))) {
      const { start = 0, end = facts.duration } = facts.media[voice.media] ?? {}
      yield {
        frames: framesOf(facts, start, end),
        element: elementOf(facts, voice),
        message: `Nothing is heard of ${nameOf(facts, voice)}: its file is silent there.`,
        hint: 'Use another part of the file with data-media-start, or another file.',
      }
    }
    for (const { start, end } of facts.sound.silent) {
      const until = Math.min(end, facts.duration)
      if (until - start < seconds - 0.02) continue
      yield {
        frames: framesOf(facts, start, until),
        message: `Nothing is heard for ${short(until - start)} s.`,
        figures: { seconds: Number((until - start).toFixed(2)) },
        certainty: 'likely',
      }
    }
  },
})

export const clipping = defineCheck({
  name: '@vid/check/clipping',
  rule: 'clipping',
  level: 'error',
  what: 'Sound whose true peak, by ITU-R BS.1770, is above full scale.',
  why: 'Encoders and loudspeakers cut what is louder, which is heard as a crackle.',
  hint: 'Lower data-volume of the sounds that are heard then.',
  options: Type.Object({ limit: withDefault(Type.Number({ minimum: -6, maximum: 20 }), 0) }),
  *check(facts, { limit }): Generator<CheckSpot> {
    const { truePeaks = [] } = facts.sound ?? {}
    const loud = truePeaks.flatMap((level, step) => (level !== null && level > limit ? [{ step, level }] : []))
    for (const [index, { step }] of loud.entries()) {
      if (index > 0 && step - (loud[index - 1]?.step ?? 0) <= GAP) continue
      const end = loud.findIndex(
        (part, next) => next >= index && (loud[next + 1]?.step ?? Number.POSITIVE_INFINITY) - part.step > GAP,
      )
      const parts = loud.slice(index, end + 1)
      const most = Math.max(...parts.map(({ level }) => level))
      yield {
        frames: framesOf(facts, step / STEPS, ((parts.at(-1)?.step ?? step) + 1) / STEPS),
        message: `The true peak is ${short(most)} dBTP; more than ${short(limit)} dBTP is cut.`,
        figures: { truePeak: Number(most.toFixed(2)), limit },
        ...mendPeak(facts, heardMedia(facts), most, limit),
      }
    }
  },
})

export const loudness = defineCheck({
  name: '@vid/check/loudness',
  rule: 'loudness',
  level: 'error',
  what: 'A video that is louder or quieter than it should be, by ITU-R BS.1770; only with a target.',
  why: 'Platforms turn down what is loud, and leave quiet what is quiet.',
  hint: 'Change data-volume of the sounds by the difference.',
  options: Type.Object({
    /** LUFS, such as -14. */
    target: Type.Optional(Type.Number({ minimum: -70, maximum: 0 })),
    tolerance: withDefault(Type.Number({ minimum: 0 }), 1),
  }),
  *check(facts, { target, tolerance }): Generator<CheckSpot> {
    const integrated = facts.sound?.integrated ?? null
    if (target === undefined || integrated === null || Math.abs(integrated - target) <= tolerance) return
    const difference = target - integrated
    yield {
      frames: allFrames(facts),
      message: `The video has ${short(integrated)} LUFS; ${short(target)} LUFS are wanted.`,
      hint: `Make it ${short(Math.abs(difference))} dB ${difference > 0 ? 'louder' : 'quieter'}: multiply data-volume by ${short(10 ** (difference / 20), 2)}.`,
      figures: { integrated: Number(integrated.toFixed(2)), target },
      ...mendVolumes(facts, heardMedia(facts), difference),
    }
  },
})

/** dB below the loudest of a speech that is part of its pauses. */
const PAUSE = 20

/** Power of several levels together. */
const sumOf = (levels: readonly number[]): number =>
  10 * Math.log10(levels.reduce((sum, level) => sum + 10 ** (level / 10), 0) + 1e-12)

export const maskedSpeech = defineCheck({
  name: '@vid/check/masked-speech',
  rule: 'masked-speech',
  level: 'warning',
  what: 'Speech below other sounds in its band, 300 to 3400 Hz.',
  why: 'It is heard, and cannot be understood.',
  hint: 'Lower data-volume of the music while somebody speaks.',
  options: Type.Object({
    /** Least dB of speech above all else, and seconds in which it is less. */
    above: withDefault(Type.Number(), 4),
    seconds: withDefault(Type.Number({ minimum: 0 }), 1),
  }),
  *check(facts, { above, seconds }): Generator<CheckSpot> {
    const voices = facts.sound?.voices ?? []
    for (const voice of voices.filter(({ isSpeech }) => isSpeech)) {
      const others = voices.filter((other) => other !== voice && !other.isSpeech)
      const loudest = Math.max(...voice.bandLevels)
      const masked = voice.bandLevels.flatMap((level, step) => {
        const behind = sumOf(others.map(({ bandLevels }) => bandLevels[step] ?? Number.NEGATIVE_INFINITY))
        return level > loudest - PAUSE && behind > -60 && level - behind < above
          ? [{ step, below: behind - level }]
          : []
      })
      const [first] = masked
      const last = masked.at(-1)
      if (!first || !last || masked.length < seconds * STEPS) continue
      const mean = masked.reduce((sum, { below }) => sum + below, 0) / masked.length
      yield {
        frames: framesOf(facts, first.step / STEPS, (last.step + 1) / STEPS),
        element: elementOf(facts, voice),
        message: `The speech in ${nameOf(facts, voice)} is ${short(Math.abs(mean))} dB ${mean > 0 ? 'below' : 'above'} other sounds for ${short(masked.length / STEPS)} s.`,
        figures: { below: Number(mean.toFixed(1)), seconds: masked.length / STEPS },
        certainty: 'likely',
        ...mendVolumes(
          facts,
          others.map(({ media }) => media),
          -(Math.max(...masked.map(({ below }) => below)) + above + 1),
        ),
      }
    }
  },
})

export const cutSound = defineCheck({
  name: '@vid/check/cut-sound',
  rule: 'cut-sound',
  level: 'warning',
  what: 'A sound that is cut off while it is loud.',
  why: 'The end of its clip or of the video is heard as a click or as half of a word.',
  hint: 'Let it fade out by its volume, end it in a pause, or let the clip last longer.',
  options: Type.Object({ limit: withDefault(Type.Number({ maximum: 0 }), -30) }),
  *check(facts, { limit }): Generator<CheckSpot> {
    for (const voice of facts.sound?.voices ?? []) {
      const media = facts.media[voice.media]
      if (!media || voice.endLevel <= limit) continue
      const used = (Math.min(media.end, facts.duration) - media.start) * media.rate
      // A file that ends by itself ends as it was recorded.
      if (!media.isLooped && media.mediaStart + used >= media.sourceDuration - 0.03) continue
      const end = Math.min(media.end, facts.duration)
      yield {
        frames: framesOf(facts, end - 0.2, end),
        element: media.element,
        message: `${nameOf(facts, voice)} is cut off at ${short(end, 2)} s while it has ${short(voice.endLevel)} dB.`,
        figures: { level: Number(voice.endLevel.toFixed(1)) },
        certainty: 'likely',
        ...mendEnding(facts, media, voice.endLevel - limit),
      }
    }
  },
})
