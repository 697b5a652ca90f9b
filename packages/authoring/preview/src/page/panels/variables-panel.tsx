import { variablesFlag } from '../model/shell-text.ts'
import { attempt, tell } from '../state/notices.ts'
import { details } from '../state/project.ts'
import { edits, resetAll } from '../state/variables.ts'
import { BatchRows } from './batch-rows.tsx'
import { VariableField } from './variable-field.tsx'

const copy = () =>
  attempt(async () => {
    await navigator.clipboard.writeText(variablesFlag(edits.value))
    tell('Copied, to be put behind vid render.')
  })

/** The form of the declared variables, and the rows of a batch. */
export const VariablesPanel = () => {
  const declared = details.value?.variables ?? []
  const isUnchanged = Object.keys(edits.value).length === 0
  return (
    <>
      <h2 class="hidden">Variables</h2>
      {declared.length === 0 && <p class="quiet">This composition declares no variables.</p>}
      {declared.map((variable) => (
        <VariableField key={variable.id} variable={variable} />
      ))}
      {declared.length > 0 && (
        <>
          <div class="row">
            <button type="button" class="button" disabled={isUnchanged} onClick={copy}>
              Copy as --variables
            </button>
            <button type="button" class="button" disabled={isUnchanged} onClick={resetAll}>
              Reset all
            </button>
          </div>
          <BatchRows />
        </>
      )}
    </>
  )
}
