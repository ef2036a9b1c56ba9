import type { Texts } from '../error-texts.ts'

/** German error messages of accounts, organizations and administration. */
export const ACCOUNT_ERRORS_DE: Texts = {
  // Sign-up and sign-in
  'Invalid email or password': 'E-Mail-Adresse oder Passwort ist falsch',
  'Invalid email address': 'Ungültige E-Mail-Adresse',
  'Disposable email addresses are not allowed': 'Wegwerf-E-Mail-Adressen sind nicht erlaubt',
  'The mail server of this service reaches only addresses with a to z, digits and signs before the @':
    'Der Mailserver dieses Dienstes erreicht nur Adressen mit a bis z, Ziffern und Zeichen vor dem @',
  'Email already registered': 'Diese E-Mail-Adresse ist schon registriert',
  'Email is required': 'Die E-Mail-Adresse ist erforderlich',
  'Passwords do not match': 'Die Passwörter stimmen nicht überein',
  'The password must have 8-128 characters': 'Das Passwort muss 8 bis 128 Zeichen haben',
  'The password must have at least 8 characters': 'Das Passwort muss mindestens 8 Zeichen haben',
  'This password is among the 10,000 most common; choose another one':
    'Dieses Passwort gehört zu den 10.000 häufigsten; wähle ein anderes',
  'This account is disabled': 'Dieses Konto ist gesperrt',
  'This account signs in through a provider and has no password':
    'Dieses Konto meldet sich über einen Anbieter an und hat kein Passwort',
  'The browser did not keep the session cookie. Open svc over HTTPS, or at http://localhost on the same machine':
    'Der Browser hat das Sitzungscookie nicht behalten. Öffne svc über HTTPS oder auf demselben Gerät unter http://localhost',
  'This code is wrong or has expired': 'Dieser Code ist falsch oder abgelaufen',
  'Session not found': 'Sitzung nicht gefunden',
  'The authorization has ended. Authorize the app again.':
    'Die Autorisierung ist beendet. Autorisiere die App noch einmal.',
  'Invalid handoff token': 'Ungültiges Übergabetoken',

  // Passwords and links
  'Token is required': 'Das Token ist erforderlich',
  'Current password is required': 'Das aktuelle Passwort ist erforderlich',
  'Current password is wrong': 'Das aktuelle Passwort ist falsch',
  'This reset link is invalid or has expired':
    'Dieser Link zum Zurücksetzen ist ungültig oder abgelaufen',
  'Add a passkey and turn on the second factor first: its recovery codes are needed':
    'Füge zuerst einen Passkey hinzu und schalte den zweiten Faktor ein: Seine Wiederherstellungscodes werden gebraucht',
  'Invalid verification token': 'Ungültiger Bestätigungslink',
  'This link has expired or was already used':
    'Dieser Link ist abgelaufen oder wurde schon verwendet',
  'The email address is already verified': 'Die E-Mail-Adresse ist schon bestätigt',
  'The address is verified by a link: only the first account of a server on this machine that sends no mail needs none':
    'Die Adresse wird über einen Link bestätigt: Nur das erste Konto eines Servers auf diesem Gerät, der keine E-Mails sendet, braucht keinen',
  'This link was used or has expired. While there is no admin, each start of the server prints a new link.':
    'Dieser Link wurde verwendet oder ist abgelaufen. Solange es keinen Admin gibt, gibt jeder Start des Servers einen neuen Link aus.',

  // Second factor and passkeys
  'Invalid code': 'Ungültiger Code',
  'Set up a second factor first': 'Richte zuerst einen zweiten Faktor ein',
  'No second factor is enabled': 'Es ist kein zweiter Faktor eingeschaltet',
  'A second factor is already enabled': 'Ein zweiter Faktor ist schon eingeschaltet',
  'Passkeys need a host name: SVC_BASE_URL has an IP address':
    'Passkeys brauchen einen Hostnamen: SVC_BASE_URL hat eine IP-Adresse',
  'The response of the authenticator is not valid': 'Die Antwort des Authentifikators ist ungültig',
  'This request for a passkey has expired or was used already. Try again':
    'Diese Passkey-Anfrage ist abgelaufen oder wurde schon verwendet. Versuche es noch einmal',
  'This passkey belongs to an account already': 'Dieser Passkey gehört schon zu einem Konto',
  'Passkey not found': 'Passkey nicht gefunden',
  'The passkey was not accepted. Try again, or sign in another way':
    'Der Passkey wurde nicht angenommen. Versuche es noch einmal oder melde dich anders an',
  'A copy of this passkey may exist, because its counter went back. Sign in another way and remove it':
    'Von diesem Passkey gibt es vielleicht eine Kopie, denn sein Zähler ist zurückgegangen. Melde dich anders an und entferne ihn',

  // Sign-in providers
  'Unknown provider, or not configured': 'Der Anbieter ist unbekannt oder nicht eingerichtet',
  'The provider cannot be reached': 'Der Anbieter ist nicht erreichbar',
  'Invalid state': 'Ungültiger Status der Anmeldung',
  'Provider already connected': 'Der Anbieter ist schon verbunden',
  'Provider not connected': 'Der Anbieter ist nicht verbunden',
  'This is the only way to sign in; set a password first':
    'Das ist die einzige Möglichkeit, dich anzumelden; lege zuerst ein Passwort fest',
  'You did not allow the sign-in.': 'Du hast die Anmeldung nicht erlaubt.',
  'This sign-in has expired, was used already, or started in another browser.':
    'Diese Anmeldung ist abgelaufen, wurde schon verwendet oder in einem anderen Browser begonnen.',
  'The provider did not confirm who you are. Try again in a moment.':
    'Der Anbieter hat nicht bestätigt, wer du bist. Versuche es gleich noch einmal.',
  'The provider did not share your email address, which an account requires.':
    'Der Anbieter hat deine E-Mail-Adresse nicht mitgeteilt; ein Konto braucht sie.',
  'The email address that the provider shared cannot be used for an account.':
    'Die E-Mail-Adresse, die der Anbieter mitgeteilt hat, kann nicht für ein Konto verwendet werden.',
  'An account with this email address exists already. Sign in to it as you did before. A provider opens an existing account only if both sides have verified the address.':
    'Es gibt schon ein Konto mit dieser E-Mail-Adresse. Melde dich so an wie bisher. Ein Anbieter öffnet ein bestehendes Konto nur, wenn beide Seiten die Adresse bestätigt haben.',
  'This account is disabled.': 'Dieses Konto ist gesperrt.',
  'Another account is connected to this account of the provider.':
    'Mit diesem Konto des Anbieters ist schon ein anderes Konto verbunden.',
  'You were signed out, or another user signed in. Sign in and try again.':
    'Du wurdest abgemeldet, oder jemand anderes hat sich angemeldet. Melde dich an und versuche es noch einmal.',

  // API keys and devices
  'API key not found': 'API-Schlüssel nicht gefunden',
  'This API key belongs to another user': 'Dieser API-Schlüssel gehört jemand anderem',
  'A key for an agent can have only scopes of the key that creates it':
    'Ein Schlüssel für einen Agenten kann nur Berechtigungen des Schlüssels haben, der ihn erstellt',
  'The key that created this one is paused; resume that one':
    'Der Schlüssel, der diesen erstellt hat, ist pausiert; setze jenen fort',
  'A key for an agent has the addresses of the key that created it; change that one':
    'Ein Schlüssel für einen Agenten hat die Adressen des Schlüssels, der ihn erstellt hat; ändere jenen',
  'An API key can revoke only itself; sign in to manage keys':
    'Ein API-Schlüssel kann nur sich selbst widerrufen; melde dich an, um Schlüssel zu verwalten',
  'No device login is waiting for this code': 'Zu diesem Code wartet keine Geräteanmeldung',
  'Unknown device code': 'Unbekannter Gerätecode',
  'This login was already delivered': 'Diese Anmeldung wurde schon zugestellt',
  'This login has expired; start a new login': 'Diese Anmeldung ist abgelaufen; starte eine neue',
  'The approval of this login was revoked; start a new login':
    'Die Erlaubnis für diese Anmeldung wurde widerrufen; starte eine neue',

  // OAuth clients
  'client_id is required': 'client_id ist erforderlich',
  'redirect_uri is required': 'redirect_uri ist erforderlich',
  'redirect_uri is not registered for this client':
    'redirect_uri ist für diesen Client nicht registriert',
  'post_logout_redirect_uri is not registered for this client':
    'post_logout_redirect_uri ist für diesen Client nicht registriert',
  'client_id is not the client of id_token_hint':
    'client_id ist nicht der Client von id_token_hint',
  'Consent not found': 'Zustimmung nicht gefunden',
  'App not found': 'App nicht gefunden',
  'The app has no secret': 'Die App hat kein Geheimnis',
  'There are 1,000 apps; delete one first': 'Es gibt 1.000 Apps; lösche zuerst eine',
  // Webhooks
  'No request was accepted for three days': 'Drei Tage lang wurde keine Anfrage angenommen',
  'The webhook responded with status 410 Gone':
    'Der Webhook hat mit dem Status 410 Gone geantwortet',
  'The webhook responded with status {0}': 'Der Webhook hat mit dem Status {0} geantwortet',
  'The secret cannot be read; renew it': 'Das Geheimnis kann nicht gelesen werden; erneuere es',
  'This change would lock you out of the organization. {0}':
    'Diese Änderung würde dich aus der Organisation aussperren. {0}',
  'Sign in again with your passkey.': 'Melde dich mit deinem Passkey neu an.',
  'Sign in again with your second factor.': 'Melde dich mit deinem zweiten Faktor neu an.',
  'This URI is not allowed: {0}. Use https, http on a loopback address, or a reversed domain name such as com.example.app:, without user, password and fragment':
    'Diese URI ist nicht erlaubt: {0}. Nimm https, http auf einer Loopback-Adresse oder einen umgekehrten Domainnamen wie com.example.app:, ohne Benutzer, Passwort und Fragment',
  'Unknown client_id. Remove this connection in the app and connect again.':
    'Unbekannte client_id. Entferne diese Verbindung in der App und verbinde sie neu.',
  'The client metadata document at {0} is invalid: {1}':
    'Das Client-Metadaten-Dokument unter {0} ist ungültig: {1}',
  'response_type must be code': 'response_type muss code sein',
  'PKCE is required, with code_challenge_method S256':
    'PKCE mit code_challenge_method S256 ist erforderlich',
  'resource must be {0}': 'resource muss {0} sein',

  // Organizations
  'Not a member of this organization': 'Du bist kein Mitglied dieser Organisation',
  'An API key of an organization cannot do this; use an API key without an organization':
    'Mit einem API-Schlüssel einer Organisation geht das nicht; verwende einen API-Schlüssel ohne Organisation',
  'Only an owner of the organization can do this': 'Das kann nur ein Inhaber der Organisation',
  'Only an owner or an admin of the organization can do this':
    'Das kann nur ein Inhaber oder Admin der Organisation',
  'Member not found': 'Mitglied nicht gefunden',
  'An organization needs an owner: make another member an owner first, or delete the organization':
    'Eine Organisation braucht einen Inhaber: Mach zuerst ein anderes Mitglied zum Inhaber oder lösche die Organisation',
  'You are the only owner of the organization “{0}”: make another member an owner, or delete the organization, before you delete your account':
    'Du bist der einzige Inhaber der Organisation „{0}“: Mach ein anderes Mitglied zum Inhaber oder lösche die Organisation, bevor du dein Konto löschst',
  'All seats of the organization are taken: {0} member and {1} open invite of {2}. Withdraw an invite, remove a member, or have an owner move to a tier with more seats':
    'Alle {2} Plätze der Organisation sind belegt: {0} Mitglied und {1} offene Einladung. Ziehe eine Einladung zurück, entferne ein Mitglied oder lass einen Inhaber in einen Tarif mit mehr Plätzen wechseln',
  'All seats of the organization are taken: {0} member and {1} open invites of {2}. Withdraw an invite, remove a member, or have an owner move to a tier with more seats':
    'Alle {2} Plätze der Organisation sind belegt: {0} Mitglied und {1} offene Einladungen. Ziehe eine Einladung zurück, entferne ein Mitglied oder lass einen Inhaber in einen Tarif mit mehr Plätzen wechseln',
  'All seats of the organization are taken: {0} members and {1} open invite of {2}. Withdraw an invite, remove a member, or have an owner move to a tier with more seats':
    'Alle {2} Plätze der Organisation sind belegt: {0} Mitglieder und {1} offene Einladung. Ziehe eine Einladung zurück, entferne ein Mitglied oder lass einen Inhaber in einen Tarif mit mehr Plätzen wechseln',
  'All seats of the organization are taken: {0} members and {1} open invites of {2}. Withdraw an invite, remove a member, or have an owner move to a tier with more seats':
    'Alle {2} Plätze der Organisation sind belegt: {0} Mitglieder und {1} offene Einladungen. Ziehe eine Einladung zurück, entferne ein Mitglied oder lass einen Inhaber in einen Tarif mit mehr Plätzen wechseln',
  'The organization has no free seat: members take all {0}. Ask an owner to move to a tier with more seats or to remove a member, then accept the invitation again':
    'Die Organisation hat keinen freien Platz: Mitglieder belegen alle {0}. Bitte einen Inhaber, in einen Tarif mit mehr Plätzen zu wechseln oder ein Mitglied zu entfernen, und nimm die Einladung dann noch einmal an',
  'A member already has this email address': 'Ein Mitglied hat schon diese E-Mail-Adresse',
  'Invite not found': 'Einladung nicht gefunden',
  'This invitation has expired, was withdrawn, or was answered already':
    'Diese Einladung ist abgelaufen, wurde zurückgezogen oder schon beantwortet',
  'This invitation is for another email address':
    'Diese Einladung gilt für eine andere E-Mail-Adresse',

  'Domain not found': 'Domain nicht gefunden',
  'SCIM token not found': 'SCIM-Token nicht gefunden',
  'The organization has this domain already': 'Die Organisation hat diese Domain schon',
  'The DNS of the domain has no such TXT record yet. New records can take an hour until they are seen; then verify again':
    'Das DNS der Domain hat noch keinen solchen TXT-Eintrag. Es kann eine Stunde dauern, bis neue Einträge sichtbar sind; bestätige die Domain dann noch einmal',
  'Input should be a domain, such as acme.com': 'Gib eine Domain wie acme.com ein',
  'Everyone can get an address at this domain': 'An dieser Domain kann jeder eine Adresse bekommen',
  'This server offers no such sign-in method': 'Dieser Server bietet keine solche Anmeldeart',
  'Another organization has verified this domain; remove it there first':
    'Eine andere Organisation hat diese Domain bestätigt; entferne sie zuerst dort',
  'The name servers of the domain did not answer. Try again later':
    'Die Nameserver der Domain haben nicht geantwortet. Versuche es später noch einmal',

  // Changes of the address
  'The account has this address already': 'Das Konto hat diese Adresse schon',
  'Sign in again first: an account without a password needs a sign-in of the last 15 minutes':
    'Melde dich erst noch einmal an: Ein Konto ohne Passwort braucht eine Anmeldung der letzten 15 Minuten',
  'Your organization manages this address; ask its administrator to change it':
    'Deine Organisation verwaltet diese Adresse; bitte ihre Administration, sie zu ändern',

  // Profile, preferences and deletion
  'The picture must be a JPEG, PNG or WebP': 'Das Bild muss ein JPEG, PNG oder WebP sein',
  'The picture is larger than 5 MB': 'Das Bild ist größer als 5 MB',
  'The picture has {0} x {1} pixels; it may have {2} million':
    'Das Bild hat {0} x {1} Pixel; erlaubt sind {2} Millionen',
  'The picture cannot be read as a JPEG, PNG or WebP':
    'Das Bild kann nicht als JPEG, PNG oder WebP gelesen werden',
  'Picture not found': 'Bild nicht gefunden',
  'Unknown preference': 'Unbekannte Einstellung',
  'Custom instructions must be under {0} characters':
    'Eigene Anweisungen müssen weniger als {0} Zeichen haben',
  'No view with this name': 'Es gibt keine Ansicht mit diesem Namen',
  'Confirm with the email address of the account': 'Bestätige mit der E-Mail-Adresse des Kontos',
  'Password is required': 'Das Passwort ist erforderlich',
  'Password is wrong': 'Das Passwort ist falsch',

  // Administration
  'This is the last admin; make another user an admin first':
    'Das ist der letzte Admin; mach zuerst jemand anderen zum Admin',
  'This server does not let you create an account. Sign in to an account that you have, or ask its operator for one.':
    'Dieser Server lässt dich kein Konto erstellen. Melde dich bei einem Konto an, das du hast, oder frage seinen Betreiber nach einem.',
  'This server takes no new accounts; ask its operator for one':
    'Dieser Server nimmt keine neuen Konten an; frage seinen Betreiber nach einem',
  'A new account needs an invitation to this address':
    'Ein neues Konto braucht eine Einladung an diese Adresse',
  'Accounts of this server need an address at one of its domains':
    'Konten dieses Servers brauchen eine Adresse bei einer seiner Domains',
  'SVC_ADMIN_EMAILS makes this account an admin; remove its address there':
    'SVC_ADMIN_EMAILS macht dieses Konto zum Admin; entferne dort seine Adresse',
  'Engine not found': 'Dienst nicht gefunden',
  'The account of an admin cannot be changed by another; revoke the role first':
    'Das Konto eines Admins kann kein anderer ändern; entziehe zuerst die Rolle',
  'SVC_ADMIN_EMAILS makes this address an admin': 'SVC_ADMIN_EMAILS macht diese Adresse zum Admin',
  'This is your own account': 'Das ist dein eigenes Konto',
  'The account of an admin cannot be used by another':
    'Das Konto eines Admins kann niemand anderes verwenden',
  'This account is disabled; enable it first': 'Dieses Konto ist gesperrt; entsperre es zuerst',
  'An admin who uses the account of a user cannot change the account or write to other people':
    'Ein Admin, der das Konto eines Benutzers verwendet, kann es nicht ändern und niemandem schreiben',
  'The next key is already published and signs soon':
    'Der nächste Schlüssel ist schon veröffentlicht und signiert bald',
  'Must have base64_signer_key, base64_salt_separator, rounds (1-8) and mem_cost (1-14), as the Firebase console shows them':
    'Erforderlich sind base64_signer_key, base64_salt_separator, rounds (1-8) und mem_cost (1-14), wie die Firebase-Konsole sie anzeigt',
  'A backup is being made already; wait until it ends':
    'Es wird schon eine Sicherung erstellt; warte, bis sie fertig ist',
  '{0} is not a setting that can change while the server runs':
    '{0} ist keine Einstellung, die sich im laufenden Betrieb ändern lässt',
  '{0} is set in the environment of the server; change it there':
    '{0} ist in der Umgebung des Servers gesetzt; ändere den Wert dort',
  '{0} was changed meanwhile; load the settings again':
    '{0} wurde inzwischen geändert; lade die Einstellungen neu',
  '{0} is in the request twice': '{0} kommt in der Anfrage zweimal vor',
  '{0} must be the whole value, without {1}': '{0} muss der ganze Wert sein, ohne {1}',
  '{0} is set in the environment, so set {1} there, too':
    '{0} ist in der Umgebung gesetzt; setze auch {1} dort',
  '{0} is sent to this URL; enter it again, or remove it':
    '{0} wird an diese URL gesendet; gib den Wert neu ein oder entferne ihn',
}
