import type { TimelineClip, TimelineRow } from '../model/clip-rows.ts'
import { formatSeconds } from '../model/timecode.ts'
import { Icon } from '../parts/icon.tsx'
import { openInEditor } from '../state/project.ts'
import { fold, openClips, selectedKey, timeScale } from '../state/timeline.ts'
import { useClipPicture } from './clip-picture.ts'
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

const Clip = ({ clip }: { readonly clip: TimelineClip }) => {
  const { perSecond } = timeScale.value
  const style = {
    left: `${clip.start * perSecond}px`,
    width: `${Math.max(2, (clip.end - clip.start) * perSecond - 1)}px`,
    ...useClipPicture(clip, perSecond),
  }
  const open = () => {
    if (clip.source) void openInEditor(clip.source.file, clip.source.line)
  }
  return (
    <button
      type="button"
      class={`clip ${clip.kind}`}
      style={style}
      aria-pressed={selectedKey.value === clip.key}
      aria-label={`${clip.name}, ${clip.kind}, ${formatSeconds(clip.start)} to ${formatSeconds(clip.end)}`}
      title={clip.name}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => {
        selectedKey.value = selectedKey.value === clip.key ? '' : clip.key
      }}
      onDblClick={open}
    >
      <span>{clip.name}</span>
    </button>
  )
}

/** One row of clips with its name. */
export const ClipRow = ({ row }: { readonly row: TimelineRow }) => {
  const { perSecond } = timeScale.value
  return (
    <div class="timeline-row" style={{ '--depth': row.depth }}>
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
