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

const Line = ({ composition }: { readonly composition: CompositionEntry }) => (
  <li class="card" aria-current={composition.entry === entry.value}>
    <button type="button" class="card-title" onClick={() => choose(composition.entry)}>
      {composition.id}
    </button>
    <span class="quiet">{composition.error ? '' : factsOf(composition)}</span>
    {composition.error && <span class="error-text">{composition.error.message}</span>}
    <PlaceButton file={composition.entry} line={1} />
  </li>
)

/** Every HTML file of the folder that is a composition. */
export const CompositionsPanel = () => (
  <>
    <h2 class="hidden">Compositions</h2>
    <ul class="cards">
      {project.value?.compositions.map((composition) => (
        <Line key={composition.entry} composition={composition} />
      ))}
    </ul>
    {(project.value?.unlisted ?? 0) > 0 && (
      <p class="quiet">{project.value?.unlisted} more HTML files are not listed.</p>
    )}
  </>
)
