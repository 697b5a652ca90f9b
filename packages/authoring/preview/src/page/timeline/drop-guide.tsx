import { fileDrag } from '../edit/dropped-files.ts'
import { formatSeconds } from '../model/timecode.ts'
import { timeScale } from '../state/timeline.ts'
import { LABEL_WIDTH } from './sizes.ts'

/** Where files that are dragged over the page would be put. */
export const DropGuide = () => {
  if (!fileDrag.value) return null
  const { seconds, track, snap } = fileDrag.value
  const style = { transform: `translateX(${LABEL_WIDTH + seconds * timeScale.value.perSecond}px)` }
  return (
    <>
      <div class="snap-line" style={style} />
      <output class="drag-time numbers" style={style}>
        <strong>{formatSeconds(seconds)}</strong>
        {track === undefined ? ' · a free track' : ` · track ${track}`}
        {snap && ` · ${snap.kind === 'onset' ? 'sound' : snap.kind}`}
      </output>
    </>
  )
}
