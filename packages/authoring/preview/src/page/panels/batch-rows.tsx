import { IconButton } from '../parts/icon-button.tsx'
import { attempt } from '../state/notices.ts'
import { batch, batchFiles, loadBatch, loadBatchFile, resetAll, showRow } from '../state/variables.ts'

const load = (input: HTMLInputElement) =>
  attempt(async () => {
    const [file] = input.files ?? []
    if (!file) return
    input.value = ''
    await loadBatch(file.name, await file.text())
  })

const Rows = () => {
  const file = batch.value
  if (!file) return null
  const { name, rows, index } = file
  const warnings = rows[index]?.warnings ?? []
  const wrong = rows.filter((row) => row.warnings.length > 0).length
  return (
    <>
      <div class="row">
        <IconButton icon="previous" name="Row before" isOff={index === 0} onPress={() => showRow(index - 1)} />
        <span role="status">
          Row {index + 1} of {rows.length}
        </span>
        <IconButton icon="next" name="Row after" isOff={index >= rows.length - 1} onPress={() => showRow(index + 1)} />
        <button type="button" class="button small" onClick={resetAll}>
          Leave the batch
        </button>
      </div>
      <p class="quiet">
        {name}
        {wrong > 0 && `: ${wrong} of its rows have warnings`}
      </p>
      <ul class="cards">
        {warnings.map((warning) => (
          <li key={warning.message} class="card problem warning">
            <p>{warning.message}</p>
            {warning.hint && <p class="quiet">{warning.hint}</p>}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The batch files of the project, to be chosen from. */
const OwnBatches = () =>
  batchFiles.value.length > 0 && (
    <label class="field">
      <span>From the project</span>
      <select
        id="own-batch"
        value={batch.value?.isOwn ? batch.value.name : ''}
        onChange={({ currentTarget: { value } }) =>
          value === '' ? resetAll() : void attempt(() => loadBatchFile(value))
        }
      >
        <option value="">None</option>
        {batchFiles.value.map((file) => (
          <option key={file} value={file}>
            {file}
          </option>
        ))}
      </select>
    </label>
  )

/** Steps through the rows of a batch file. */
export const BatchRows = () => (
  <section class="section" aria-labelledby="batch-title">
    <h3 id="batch-title">Batch</h3>
    <label class="button file-button">
      Load a batch file…
      <input
        type="file"
        class="hidden"
        accept=".json,application/json"
        onChange={({ currentTarget }) => load(currentTarget)}
      />
    </label>
    <OwnBatches />
    <Rows />
  </section>
)
