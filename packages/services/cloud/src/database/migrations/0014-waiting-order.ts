/**
 * Keeps the waiting accounts in the order of what they have used, so that taking a job does not read all of them. What
 * is noted here may be out of date; it is never above what the account has used, and taking a job corrects it.
 */
export const waitingOrder = /* sql */ `
ALTER TABLE vid.waiting_accounts ADD COLUMN used_seconds double precision NOT NULL DEFAULT '-infinity';
UPDATE vid.waiting_accounts AS w SET used_seconds = a.used_seconds FROM vid.accounts AS a WHERE a.id = w.account_id;
CREATE INDEX waiting_accounts_order ON vid.waiting_accounts (used_seconds, sequence);

CREATE OR REPLACE FUNCTION vid.enter_waiting(for_account text, for_codec text, at_sequence bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    PERFORM 1 FROM vid.waiting_accounts WHERE account_id = for_account AND codec = for_codec FOR KEY SHARE;
    IF FOUND THEN RETURN; END IF;
    INSERT INTO vid.waiting_accounts VALUES (for_account, for_codec, at_sequence,
      COALESCE((SELECT used_seconds FROM vid.accounts WHERE id = for_account), '-infinity')) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
END $$;
`
