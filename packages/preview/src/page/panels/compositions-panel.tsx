import type { CompositionEntry } from '../../api.ts'
import { formatSeconds } from '../model/timecode.ts'
import { PlaceButton } from '../parts/place-button.tsx'
import { choose, entry, project } from '../state/project.ts'

const factsOf = ({ width, height, duration }: CompositionEntry): string =>
  [
    width !== null && height !== null ? `${width} × ${height}` : '',
    duration === null ? 'length by its script' : formatSeconds(duration),
  ]
    .filter(Boolean)
    .join(' · ')

const Line = ({ each }: { readonly each: CompositionEntry }) => (
  <li class="card" aria-current={each.entry === entry.value}>
    <button type="button" class="card-title" onClick={() => choose(each.entry)}>
      {each.id}
    </button>
    <span class="quiet">{each.error ? '' : factsOf(each)}</span>
    {each.error && <span class="error-text">{each.error.message}</span>}
    <PlaceButton file={each.entry} line={1} />
  </li>
)

/** Every HTML file of the folder that is a composition. */
export const CompositionsPanel = () => (
  <>
    <h2 class="hidden">Compositions</h2>
    <ul class="cards">
      {project.value?.compositions.map((composition) => (
        <Line key={composition.entry} each={composition} />
      ))}
    </ul>
    {(project.value?.unlisted ?? 0) > 0 && (
      <p class="quiet">{project.value?.unlisted} more HTML files are not listed.</p>
    )}
  </>
)
