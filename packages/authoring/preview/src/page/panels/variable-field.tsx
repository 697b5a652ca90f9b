import type { DeclaredVariable } from '../../api.ts'
import { stage } from '../edit/edit-session.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { entry } from '../state/project.ts'
import { edits, resetVariable, setVariable, values } from '../state/variables.ts'

interface FieldProps<V extends DeclaredVariable = DeclaredVariable> {
  readonly variable: V
  readonly id: string
}

type OfType<T extends DeclaredVariable['type']> = Extract<DeclaredVariable, { readonly type: T }>

const TextField = ({ variable, id }: FieldProps<OfType<'string'>>) => {
  const text = String(values.value[variable.id] ?? '')
  const common = {
    id,
    value: text,
    placeholder: variable.placeholder,
    maxLength: variable.maxLength,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => setVariable(variable.id, currentTarget.value),
  }
  const isLong = variable.default.includes('\n') || variable.default.length > 60
  return (
    <>
      {isLong ? <textarea rows={3} {...common} /> : <input type="text" {...common} />}
      {variable.maxLength !== undefined && (
        <span class="quiet">
          {text.length} of {variable.maxLength} characters
        </span>
      )}
    </>
  )
}

const NumberField = ({ variable, id }: FieldProps<OfType<'number'>>) => {
  const { min, max, step = 'any' } = variable
  const value = Number(values.value[variable.id])
  const set = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    if (Number.isFinite(currentTarget.valueAsNumber)) setVariable(variable.id, currentTarget.valueAsNumber)
  }
  const common = { min, max, step, value, onInput: set }
  return (
    <div class="row">
      {min !== undefined && max !== undefined && (
        <input type="range" aria-label={`${variable.label}, slider`} {...common} />
      )}
      <input type="number" id={id} {...common} />
      {variable.unit && <span class="quiet">{variable.unit}</span>}
    </div>
  )
}

const ColorField = ({ variable, id }: FieldProps<OfType<'color'>>) => {
  const value = String(values.value[variable.id] ?? '')
  const set = ({ currentTarget }: { currentTarget: HTMLInputElement }) => setVariable(variable.id, currentTarget.value)
  const isPlain = /^#[\da-f]{6}$/i.test(value)
  return (
    <div class="row">
      <input
        type="color"
        aria-label={`${variable.label}, colour field`}
        value={isPlain ? value : '#000000'}
        onInput={set}
      />
      <input type="text" id={id} value={value} spellcheck={false} onChange={set} />
    </div>
  )
}

const SwitchField = ({ variable, id }: FieldProps<OfType<'boolean'>>) => (
  <input
    type="checkbox"
    class="switch"
    id={id}
    checked={values.value[variable.id] === true}
    onChange={({ currentTarget }) => setVariable(variable.id, currentTarget.checked)}
  />
)

const ChoiceField = ({ variable, id }: FieldProps<OfType<'enum'>>) => (
  <select
    id={id}
    value={String(values.value[variable.id])}
    onChange={({ currentTarget }) => setVariable(variable.id, currentTarget.value)}
  >
    {variable.options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
)

const Field = ({ variable, id }: FieldProps) => {
  switch (variable.type) {
    case 'string':
      return <TextField variable={variable} id={id} />
    case 'number':
      return <NumberField variable={variable} id={id} />
    case 'color':
      return <ColorField variable={variable} id={id} />
    case 'boolean':
      return <SwitchField variable={variable} id={id} />
    case 'enum':
      return <ChoiceField variable={variable} id={id} />
  }
}

/** Stages the shown value as the default of a variable. */
const keep = async (id: string) => {
  const value = edits.value[id]
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
  if (await stage([{ op: 'variable', id, value, file: entry.value }])) resetVariable(id)
}

/** The field of one declared variable. */
export const VariableField = ({ variable }: { readonly variable: DeclaredVariable }) => {
  const id = `variable-${variable.id}`
  const isEdited = Object.hasOwn(edits.value, variable.id)
  return (
    <div class={variable.type === 'boolean' ? 'field inline' : 'field'}>
      <div class="field-head">
        <label for={id}>{variable.label}</label>
        {isEdited && (
          <span class="field-tools">
            <IconButton
              icon="keep"
              text="Keep as default"
              name={`Keep ${variable.label} as default`}
              title="Change the composition: without this, the value is for this page alone"
              onPress={() => void keep(variable.id)}
            />
            <IconButton icon="reset" name={`Reset ${variable.label}`} onPress={() => resetVariable(variable.id)} />
          </span>
        )}
      </div>
      <Field variable={variable} id={id} />
    </div>
  )
}
