/** The form of the file in which an assistant keeps its servers. */
export type SettingsForm =
  | { readonly kind: 'json'; readonly path: readonly string[]; readonly entry: Readonly<Record<string, unknown>> }
  | { readonly kind: 'toml'; readonly table: string; readonly lines: readonly string[] }

/** An assistant that can be set up in a project. */
export interface Assistant {
  readonly name: string
  /** Its settings in a project. */
  readonly file: string
  readonly form: SettingsForm
  /** Files and folders by which a project shows that the assistant is used. */
  readonly signs: readonly string[]
  /** Folder of its skills. */
  readonly skills: string
}

const SKILLS = '.agents/skills'

const server = { command: 'npx', args: ['vid', 'mcp'] }

const json = (path: readonly string[], entry: Readonly<Record<string, unknown>> = server): SettingsForm => ({
  kind: 'json',
  path: [...path, 'vid'],
  entry,
})

/** The assistants that can be set up, by the formats of their settings in 2026. */
export const assistants: readonly Assistant[] = [
  {
    name: 'claude-code',
    file: '.mcp.json',
    form: json(['mcpServers']),
    signs: ['.mcp.json', '.claude', 'CLAUDE.md'],
    skills: '.claude/skills',
  },
  { name: 'cursor', file: '.cursor/mcp.json', form: json(['mcpServers']), signs: ['.cursor'], skills: SKILLS },
  {
    name: 'vscode',
    file: '.vscode/mcp.json',
    form: json(['servers'], { type: 'stdio', ...server }),
    signs: ['.vscode'],
    skills: SKILLS,
  },
  {
    name: 'codex',
    file: '.codex/config.toml',
    form: { kind: 'toml', table: 'mcp_servers.vid', lines: ['command = "npx"', 'args = ["vid", "mcp"]'] },
    signs: ['.codex'],
    skills: SKILLS,
  },
  {
    name: 'gemini',
    file: '.gemini/settings.json',
    form: json(['mcpServers']),
    signs: ['.gemini', 'GEMINI.md'],
    skills: SKILLS,
  },
  {
    name: 'opencode',
    file: 'opencode.json',
    form: json(['mcp'], { type: 'local', command: ['npx', 'vid', 'mcp'] }),
    signs: ['opencode.json', '.opencode'],
    skills: SKILLS,
  },
  { name: 'zed', file: '.zed/settings.json', form: json(['context_servers']), signs: ['.zed'], skills: SKILLS },
]
