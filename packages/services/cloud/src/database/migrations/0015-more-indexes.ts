/** Indexes for what is looked for among rows that stay, or removed with a row that it refers to. */
export const moreIndexes = {
  accounts_used: 'vid.accounts (used_seconds)',
  oauth_items_account: `vid.oauth_items ((payload ->> 'accountId'))`,
  uploads_asset: 'vid.uploads (asset_id)',
  streams_open: 'vid.streams (render_id, attempt) WHERE NOT is_complete',
} as const
