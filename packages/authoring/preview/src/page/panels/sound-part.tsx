import { changeElement, type ElementRead, type Part } from '../edit/inspection.ts'
import { SourceField, withNumber } from './source-field.tsx'

/** How a video or a sound is played. */
export const SoundPart = ({ facts: { tag, attributes, subject } }: { readonly facts: ElementRead }) => {
  const change = (part: Part) => changeElement(subject, () => [part])
  if (tag !== 'audio' && tag !== 'video') return null
  const isLooping = attributes.loop !== undefined
  return (
    <section class="section">
      <h3>Sound</h3>
      <div class="source-fields">
        <SourceField
          label="Volume"
          value={attributes['data-volume'] ?? ''}
          note={attributes['data-volume'] === undefined ? '1 where it is not stated' : undefined}
          onCommit={withNumber((volume) => void change({ op: 'volume', volume }))}
        />
        <SourceField
          label="Fade in"
          value=""
          unit="s"
          onCommit={withNumber((length) => void change({ op: 'fade', in: length }))}
        />
        <SourceField
          label="Fade out"
          value=""
          unit="s"
          onCommit={withNumber((length) => void change({ op: 'fade', out: length }))}
        />
      </div>
      <label class="row" title="What loops can neither be split nor begin later">
        <input
          type="checkbox"
          class="switch"
          checked={isLooping}
          onChange={({ currentTarget: { checked } }) =>
            void change({ op: 'set', name: 'loop', value: checked ? '' : null })
          }
        />
        Loop
      </label>
    </section>
  )
}
