import { attempt } from '../state/notices.ts'
import { inOut, range } from '../state/playback.ts'
import { choices, current } from '../state/project.ts'
import { form, jobs, type RenderForm, startRender } from '../state/renders.ts'
import { edit } from '../state/staged.ts'
import { JobCard } from './job.tsx'

type Chosen = Exclude<keyof RenderForm, 'onlyRange'>

const set = (change: Partial<RenderForm>) => {
  form.value = { ...form.value, ...change }
}

const Choice = (props: {
  readonly name: Chosen
  readonly label: string
  readonly options: readonly string[]
  readonly standard: string | null
}) => {
  const { name, label, options, standard } = props
  const id = `render-${name}`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={form.value[name]} onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}>
        <option value="">{standard === null ? 'as configured' : standard}</option>
        {options
          .filter((option) => option !== standard)
          .map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
      </select>
    </div>
  )
}

const RangeChoice = () => {
  const hasRange = inOut.value.start !== null || inOut.value.end !== null
  const { start, end } = range.value
  return (
    <label class="row switch-row">
      <input
        type="checkbox"
        class="switch"
        disabled={!hasRange}
        checked={hasRange && form.value.onlyRange}
        onChange={({ currentTarget }) => set({ onlyRange: currentTarget.checked })}
      />
      {hasRange ? `Only frames ${start} to ${end - 1}` : 'Only a range (set one with I and O)'}
    </label>
  )
}

const Settings = () => {
  const options = choices.value
  if (!options) return null
  const { defaults } = options
  return (
    <>
      <div class="fields">
        <Choice
          name="format"
          label="Format"
          options={options.formats.map(({ name }) => name)}
          standard={defaults.format}
        />
        <Choice name="quality" label="Quality" options={options.qualities} standard={defaults.quality} />
        <Choice
          name="fps"
          label="Frame rate"
          options={['24', '25', '30', '50', '60', '30000/1001']}
          standard={String(defaults.fps)}
        />
        <Choice name="preset" label="Preset" options={options.presets} standard={defaults.preset} />
        {options.targets.length > 0 && (
          <Choice name="target" label="Target" options={options.targets} standard={defaults.target} />
        )}
      </div>
      <RangeChoice />
    </>
  )
}

/** Renders what is shown, with progress and result. */
export const RenderPanel = () => (
  <>
    <h2 class="hidden">Render</h2>
    <Settings />
    {edit.value !== null && edit.value.changes > 0 && (
      <p class="note-text">The render has the staged changes, which are not written.</p>
    )}
    <button
      type="button"
      class="button primary"
      disabled={!current.value || current.value.error !== undefined}
      onClick={() => attempt(startRender)}
    >
      Render {current.value?.entry}
    </button>
    <ul class="cards" aria-label="Renders">
      {jobs.value.map((job) => (
        <JobCard key={job.id} job={job} />
      ))}
    </ul>
  </>
)
