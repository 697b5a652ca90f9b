import { useEffect } from 'preact/hooks'
import type { TimelineClip } from '../model/clip-rows.ts'
import { stripPlacement } from '../model/strip-placement.ts'
import { askWaveform, filmstripOf, waveforms } from '../state/media.ts'
import { reportedComposition } from '../state/playback.ts'
import { details, mediaRevision } from '../state/project.ts'
import { ROW_HEIGHT } from './sizes.ts'

/** The picture of what a clip plays: the filmstrip of a video, the waveform of a sound; nothing for other clips. */
export const useClipPicture = (clip: TimelineClip, perSecond: number): Readonly<Record<string, string>> => {
  const media = reportedComposition.value?.probe.media.find(({ id }) => id === clip.mediaId)
  const source = details.value?.media.find(({ src }) => src === clip.source?.src || src === media?.src)
  const sound = media && source && !source.picture && source.sound ? source.src : undefined
  useEffect(() => {
    if (sound !== undefined) void askWaveform(sound)
  }, [sound, mediaRevision.value])
  if (!media || !source) return {}
  const { width, offset } = stripPlacement(media, source.duration, perSecond)
  const place = {
    backgroundSize: `${width}px 100%`,
    backgroundPosition: `${offset}px 0`,
    backgroundRepeat: media.loop ? 'repeat-x' : 'no-repeat',
  }
  if (sound !== undefined) {
    const address = waveforms.value[sound]
    return address ? { ...place, backgroundImage: `url("${address}")` } : {}
  }
  if (!source.picture) return {}
  const pictureWidth = (ROW_HEIGHT * source.picture.width) / source.picture.height
  const minimum = width / pictureWidth
  const count = [1, 2, 4, 8, 16, 32, 60].find((candidate) => candidate >= minimum) ?? 60
  const address = filmstripOf(source.src, ROW_HEIGHT * 2, count, mediaRevision.value)
  return { ...place, backgroundImage: `url("${address}")` }
}
