import { dragSound, type SoundHandle, soundGesture } from '../edit/sound-gesture.ts'
import type { TimelineClip } from '../model/clip-rows.ts'
import { reportedComposition } from '../state/playback.ts'
import { ROW_HEIGHT } from './sizes.ts'

/** CSS pixels of a clip's height. */
const HEIGHT = ROW_HEIGHT - 6

const limit = (value: number, most: number) => Math.min(most, Math.max(0, value))

const TEXTS: Readonly<Record<SoundHandle, (value: number) => string>> = {
  volume: (value) => `Volume ${Math.round(value * 100)} %`,
  fadeIn: (value) => `Fade in ${value.toFixed(2)} s`,
  fadeOut: (value) => `Fade out ${value.toFixed(2)} s`,
}

/** The volume of a clip as a line, and its fades as handles, to be dragged. */
export const ClipSound = ({ clip, perSecond }: { readonly clip: TimelineClip; readonly perSecond: number }) => {
  const media = reportedComposition.value?.probe.media.find(({ id }) => id === clip.mediaId)
  if (!media || media.hasAudio === false) return null
  const gesture = soundGesture.value?.key === clip.key ? soundGesture.value : null
  const shownValue = (part: SoundHandle, standard: number) => (gesture?.part === part ? gesture.value : standard)
  const volume = shownValue('volume', media.volume)
  const half = (clip.end - clip.start) / 2
  const lengths = { fadeIn: media.envelope?.fadeIn?.seconds ?? 0, fadeOut: media.envelope?.fadeOut?.seconds ?? 0 }
  const fade = (part: 'fadeIn' | 'fadeOut', direction: 1 | -1) => ({
    style: { [direction > 0 ? 'left' : 'right']: `${shownValue(part, lengths[part]) * perSecond}px` },
    onPointerDown: (event: PointerEvent & { readonly currentTarget: HTMLElement }) =>
      dragSound(event, clip, part, ({ x }) => limit(lengths[part] + (direction * x) / perSecond, half)),
  })
  return (
    <>
      <i
        class="level"
        style={{ top: `${(1 - limit(volume, 1)) * (HEIGHT - 6)}px` }}
        onPointerDown={(event) =>
          dragSound(event, clip, 'volume', ({ y }) => limit(media.volume - y / (HEIGHT - 6), 1))
        }
      />
      <i class="fade-handle" {...fade('fadeIn', 1)} />
      <i class="fade-handle" {...fade('fadeOut', -1)} />
      {gesture && <output class="sound-value numbers">{TEXTS[gesture.part](gesture.value)}</output>}
    </>
  )
}
