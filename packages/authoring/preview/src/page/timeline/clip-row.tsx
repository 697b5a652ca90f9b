import { useComputed } from '@preact/signals'
import { lockOf } from '../edit/clip-edits.ts'
import { dragClips, gesture } from '../edit/clip-gesture.ts'
import type { Press } from '../edit/track-pointer.ts'
import type { TimelineClip, TimelineRow } from '../model/clip-rows.ts'
import { type DragKind, draggedWindow } from '../model/drag.ts'
import { formatSeconds } from '../model/timecode.ts'
import { Icon } from '../parts/icon.tsx'
import { sendToEditor } from '../state/project.ts'
import { fold, openClips, select, selectedKeys, timeScale } from '../state/timeline.ts'
import { useClipPicture } from './clip-picture.ts'
import { ClipSound } from './clip-sound.tsx'
import { scrub } from './scrub.ts'

const FoldButton = ({ clip }: { readonly clip: TimelineClip }) => {
  const isOpen = openClips.value.has(clip.key)
  return (
    <button
      type="button"
      class="fold"
      aria-expanded={isOpen}
      aria-label={`Clips of ${clip.name}`}
      onClick={() => fold(clip.key)}
    >
      <Icon name={isOpen ? 'unfold' : 'fold'} />
    </button>
  )
}

/** The part of a clip that a press is on. */
const partOf = (target: EventTarget | null): DragKind => {
  const edge = target instanceof HTMLElement ? target.dataset.edge : undefined
  return edge === 'trimStart' || edge === 'trimEnd' ? edge : 'move'
}

const press = (event: Press, clip: TimelineClip) => {
  event.stopPropagation()
  const isMore = event.shiftKey || event.ctrlKey || event.metaKey
  if (event.button === 0 && event.isPrimary && !isMore) dragClips(event, clip, partOf(event.target))
}

const Clip = ({ clip }: { readonly clip: TimelineClip }) => {
  const { perSecond } = timeScale.value
  const drag = useComputed(() => (gesture.value?.keys.has(clip.key) ? gesture.value.drag : null)).value
  const { start, end } = drag ? draggedWindow(clip, drag) : clip
  const isFixed = lockOf(clip) !== undefined
  const style = {
    left: `${start * perSecond}px`,
    width: `${Math.max(2, (end - start) * perSecond - 1)}px`,
    ...useClipPicture(clip, perSecond),
  }
  const open = () => {
    if (clip.source) void sendToEditor(clip.source.file, clip.source.line)
  }
  return (
    <button
      type="button"
      class={`clip ${clip.kind}${isFixed ? ' fixed' : ''}${drag ? ' dragged' : ''}`}
      style={style}
      data-clip={clip.key}
      aria-pressed={selectedKeys.value.includes(clip.key)}
      aria-label={`${clip.name}, ${clip.kind}, ${formatSeconds(clip.start)} to ${formatSeconds(clip.end)}`}
      title={clip.name}
      onPointerDown={(event) => press(event, clip)}
      onClick={({ shiftKey, ctrlKey, metaKey }) => select(clip.key, shiftKey || ctrlKey || metaKey)}
      onDblClick={open}
    >
      {!isFixed && <i class="edge start" data-edge="trimStart" />}
      {!isFixed && clip.mediaId !== null && <ClipSound clip={clip} perSecond={perSecond} />}
      <span>{clip.name}</span>
      {!isFixed && <i class="edge end" data-edge="trimEnd" />}
    </button>
  )
}

/** One row of clips with its name. */
export const ClipRow = ({ row }: { readonly row: TimelineRow }) => {
  const { perSecond } = timeScale.value
  return (
    <div class="timeline-row" data-row={row.key} style={{ '--depth': row.depth }}>
      <div class="row-label" title={row.label}>
        {row.clips
          .filter(({ hasClips }) => hasClips)
          .slice(0, 1)
          .map((clip) => (
            <FoldButton key={clip.key} clip={clip} />
          ))}
        <span>{row.label}</span>
      </div>
      <div class="lane" style={{ '--second': `${perSecond}px` }} {...scrub}>
        {row.clips.map((clip) => (
          <Clip key={clip.key} clip={clip} />
        ))}
      </div>
    </div>
  )
}
