import { defineErrors, didYouMean, type ErrorTable } from '@vid/protocol'

/** Errors of tools for assistants, and of their set-up. */
export const assistantErrors = {
  VID_TOOL_UNKNOWN: (f: { tool: string; known: readonly string[] }) => ({
    message: `There is no tool "${f.tool}".`,
    hint: `${didYouMean(f.tool, f.known)}Tools: ${f.known.join(', ')}.`,
    fault: 'caller',
  }),
  VID_TOOL_ARGUMENTS: (f: { tool: string; problems: readonly string[] }) => ({
    message: `The tool "${f.tool}" cannot take these arguments: ${f.problems.join('; ')}.`,
    hint: 'Follow the input schema of the tool.',
    fault: 'caller',
  }),
  VID_TOOL_RESOURCE: (f: { uri: string; known: readonly string[] }) => ({
    message: `There is no resource "${f.uri}".`,
    hint: `${didYouMean(f.uri, f.known)}"resources/list" has those of tools; codes are those of findings.`,
    fault: 'caller',
  }),
  VID_TOOL_OUTSIDE: (f: { path: string; reason: string }) => ({
    message: `"${f.path}" is not used: ${f.reason}.`,
    hint: 'Name a file or folder inside a root. A person adds a root with "vid mcp FOLDER".',
    fault: 'caller',
  }),
  VID_TOOL_CONFIG: (f: { file: string; reason: string }) => ({
    message: `The config "${f.file}" is not loaded: ${f.reason}.`,
    hint: 'Ask its owner to remove write access for others (chown, chmod go-w), or name its folder as a root.',
    fault: 'caller',
  }),
  VID_TOOL_ROOT: (f: { root: string; reason: string }) => ({
    message: `"${f.root}" cannot be a root: ${f.reason}.`,
    hint: 'Name folders that exist, such as "vid mcp ~/videos".',
    fault: 'caller',
  }),
  VID_SETUP_ASSISTANT: (f: { assistant: string; known: readonly string[] }) => ({
    message: `There is no set-up for the assistant "${f.assistant}".`,
    hint: `${didYouMean(f.assistant, f.known)}Known: ${f.known.join(', ')}.`,
    fault: 'caller',
  }),
  VID_SETUP_SETTINGS: (f: { file: string; reason: string }) => ({
    message: `"${f.file}" stays as it is: ${f.reason}.`,
    hint: 'Correct the file, or move it away, and run the command again.',
    fault: 'caller',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(assistantErrors)
