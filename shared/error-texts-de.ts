import type { Texts } from './error-texts.ts'

/** German error messages by the English ones of the API and of the client, for the pages and the console. */
export const ERROR_TEXTS_DE: Texts = {
  'The operator of this server has turned off the feature {0} (SVC_FEATURES)':
    'Der Betreiber dieses Servers hat die Funktion {0} ausgeschaltet (SVC_FEATURES)',

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
  'This response began outside of the organization, with memories that are not its own; begin a new conversation':
    'Diese Antwort hat außerhalb der Organisation begonnen, mit Erinnerungen, die nicht ihre sind; beginne eine neue Unterhaltung',
  // Tiers and payments
  'This requires the tier {0}; the account has {1}':
    'Das erfordert den Tarif {0}; das Konto hat {1}',
  'The tier {0} does not include {1}; {2} does': 'Der Tarif {0} enthält {1} nicht, {2} schon',
  'You have used {0} of {1} messages this month on the tier {2}; the quota resets on {3}':
    'Du hast diesen Monat {0} von {1} Nachrichten des Tarifs {2} verbraucht; das Kontingent beginnt neu am {3}',
  'You have used {0} of {1} urls this month on the tier {2}; the quota resets on {3}':
    'Du hast diesen Monat {0} von {1} Webseiten des Tarifs {2} verbraucht; das Kontingent beginnt neu am {3}',
  'You have used {0} of {1} emails this month on the tier {2}; the quota resets on {3}':
    'Du hast diesen Monat {0} von {1} E-Mails des Tarifs {2} verbraucht; das Kontingent beginnt neu am {3}',
  'You have used {0} of {1} transcriptions this month on the tier {2}; the quota resets on {3}':
    'Du hast diesen Monat {0} von {1} Transkriptionen des Tarifs {2} verbraucht; das Kontingent beginnt neu am {3}',
  'This would exceed your monthly spend cap; raise it with PUT /api/billing/payg-cap, or wait until {0}':
    'Das würde dein monatliches Ausgabenlimit überschreiten; erhöhe es mit PUT /api/billing/payg-cap oder warte bis {0}',
  'This costs {0} credits and you have {1}; buy more with POST /api/billing/checkout':
    'Das kostet {0} Credits und du hast {1}; kaufe weitere mit POST /api/billing/checkout',
  'Buy credits first, with POST /api/billing/checkout':
    'Kaufe zuerst Credits, mit POST /api/billing/checkout',
  'Buy a subscription and credits one after the other': 'Kaufe Abonnement und Credits nacheinander',
  'Payments are not configured: set {0}': 'Zahlungen sind nicht eingerichtet: setze {0}',
  'The payment provider failed to answer; try again':
    'Der Zahlungsanbieter hat nicht geantwortet; versuche es noch einmal',
  'An admin has granted you the tier {0}': 'Ein Admin hat dir den Tarif {0} gegeben',
  'You are already subscribed to {0}; end it with POST /api/billing/portal':
    'Du hast {0} schon abonniert; beende das Abonnement mit POST /api/billing/portal',
  'The tier {0} is not sold here': 'Der Tarif {0} wird hier nicht verkauft',
  'There is no subscription to change: you have not paid for anything yet':
    'Es gibt kein Abonnement zu ändern: Du hast noch nichts bezahlt',
  'The header stripe-signature is missing': 'Der Header stripe-signature fehlt',
  'Invalid signature': 'Ungültige Signatur',
  'The body is not a payment event': 'Der Inhalt ist kein Zahlungsereignis',

  // Memory
  'Memory not found': 'Erinnerung nicht gefunden',
  'The memory is superseded; change the memory in superseded_by':
    'Die Erinnerung wurde ersetzt; ändere die Erinnerung in superseded_by',
  '{0} memories match now; nothing was deleted':
    'Jetzt passen {0} Erinnerungen; es wurde nichts gelöscht',
  'The same content is remembered already': 'Derselbe Inhalt ist schon gespeichert',
  'The memory to supersede does not exist':
    'Die Erinnerung, die ersetzt werden soll, gibt es nicht',
  'The memory to supersede was superseded already':
    'Die Erinnerung, die ersetzt werden soll, wurde schon ersetzt',
  'The memory to supersede is trusted more than the one that is to replace it; only its user can do this':
    'Die Erinnerung, die ersetzt werden soll, ist vertrauenswürdiger als die neue; das kann nur ihr Benutzer',
  'A memory cannot supersede itself': 'Eine Erinnerung kann sich nicht selbst ersetzen',
  'No such mark of this memory': 'Diese Markierung der Erinnerung gibt es nicht',
  'No conflict under that key': 'Zu diesem Schlüssel gibt es keinen Widerspruch',
  'The memories of the conflict changed meanwhile; try again':
    'Die Erinnerungen des Widerspruchs haben sich inzwischen geändert; versuche es noch einmal',
  'No memory is about that project': 'Keine Erinnerung gehört zu diesem Projekt',
  'A project cannot be merged into itself':
    'Ein Projekt kann nicht mit sich selbst zusammengeführt werden',
  'No conversation was captured under that session':
    'Zu dieser Sitzung wurde keine Unterhaltung mitgeschnitten',
  'Event not found': 'Ereignis nicht gefunden',
  'Larger than {0}': 'Größer als {0}',
  'Not UTF-8 text': 'Kein UTF-8-Text',
  'Not JSON': 'Kein JSON',
  'Too large to read': 'Zu groß zum Lesen',

  // Chat, models and agents
  'The model did not answer in time': 'Das Modell hat nicht rechtzeitig geantwortet',
  'No model can answer now. Please try again later.':
    'Gerade kann kein Modell antworten. Bitte versuche es später noch einmal.',
  'The model failed to answer': 'Das Modell konnte nicht antworten',
  'Category not found': 'Kategorie nicht gefunden',
  'Message not found': 'Nachricht nicht gefunden',
  'No model wrote this message': 'Diese Nachricht hat kein Modell geschrieben',
  'This session has no question to answer again':
    'Diese Unterhaltung hat keine Frage, die noch einmal beantwortet werden kann',
  'Agent not found': 'Agent nicht gefunden',
  'This agent proposes nothing': 'Dieser Agent schlägt nichts vor',
  'This server has no provider for this API. Its operator sets {0}.':
    'Dieser Server hat keinen Anbieter für diese API. Der Betreiber setzt {0}.',
  'The model provider closed the connection before it answered':
    'Der Modellanbieter hat die Verbindung vor der Antwort geschlossen',
  'No model or response can have this id': 'Kein Modell und keine Antwort kann diese ID haben',
  'The request body is compressed; send it without Content-Encoding':
    'Der Inhalt der Anfrage ist komprimiert; sende ihn ohne Content-Encoding',
  'X-Svc-Memory must be on, read or off': 'X-Svc-Memory muss on, read oder off sein',
  '{0} must have 1 to 200 characters': '{0} muss 1 bis 200 Zeichen haben',

  // Files, audio and web pages
  'File not found': 'Datei nicht gefunden',
  'The file is empty': 'Die Datei ist leer',
  'The file is larger than 25 MB': 'Die Datei ist größer als 25 MB',
  'The file must be text, a PDF, a JPEG, PNG, WebP or GIF':
    'Die Datei muss Text, ein PDF, JPEG, PNG, WebP oder GIF sein',
  'Your files would be larger than 1 GB together; delete some first':
    'Deine Dateien wären zusammen größer als 1 GB; lösche zuerst einige',
  'The audio is empty': 'Die Aufnahme ist leer',
  'The audio is larger than 25 MB': 'Die Aufnahme ist größer als 25 MB',
  'The file must be audio': 'Die Datei muss eine Audiodatei sein',
  'No transcription endpoint is configured: set SVC_TRANSCRIBE_URL':
    'Es ist kein Transkriptionsdienst eingerichtet: setze SVC_TRANSCRIBE_URL',
  'The transcription endpoint failed': 'Der Transkriptionsdienst ist fehlgeschlagen',
  'Page not found': 'Seite nicht gefunden',
  'There is no public web server at this address':
    'Unter dieser Adresse gibt es keinen öffentlichen Webserver',
  'The host name could not be looked up': 'Der Hostname konnte nicht aufgelöst werden',
  'The site answered with status {0}': 'Die Website hat mit dem Status {0} geantwortet',
  'The page redirects more than {0} times': 'Die Seite leitet mehr als {0} Mal weiter',
  'The site took too long to answer': 'Die Website hat zu lange für die Antwort gebraucht',
  'The site does not accept connections': 'Die Website nimmt keine Verbindungen an',
  'The site has no valid certificate': 'Die Website hat kein gültiges Zertifikat',
  'The site closed the connection or sent an invalid HTTP response':
    'Die Website hat die Verbindung geschlossen oder eine ungültige HTTP-Antwort gesendet',
  'The page is larger than {0}': 'Die Seite ist größer als {0}',
  'The page expands too much when it is decompressed': 'Die Seite wird beim Entpacken zu groß',
  'The page has more than {0} content encodings': 'Die Seite hat mehr als {0} Inhaltskodierungen',
  'The page has an unsupported Content-Encoding':
    'Die Seite hat ein nicht unterstütztes Content-Encoding',
  'There is no text to read': 'Es gibt keinen Text zu lesen',
  'The PDF cannot be read': 'Das PDF kann nicht gelesen werden',
  'It is neither a page nor text nor a PDF': 'Es ist weder eine Seite noch Text noch ein PDF',

  // People
  'Thread not found': 'Unterhaltung nicht gefunden',
  'No user has this username': 'Niemand hat diesen Benutzernamen',
  'You cannot write to yourself': 'Du kannst dir nicht selbst schreiben',
  'The other user has deleted their account': 'Die andere Person hat ihr Konto gelöscht',
  'Email thread not found': 'E-Mail-Verlauf nicht gefunden',
  'Share not found': 'Geteilte Unterhaltung nicht gefunden',
  'This conversation is no longer shared': 'Diese Unterhaltung wird nicht mehr geteilt',

  // Automation
  'Reflex not found': 'Reflex nicht gefunden',
  'The reflex has no webhook': 'Der Reflex hat keinen Webhook',
  'Firing not found': 'Auslösung nicht gefunden',
  'Intent not found': 'Hinweis nicht gefunden',
  'Handler not found': 'Handler nicht gefunden',
  'Webhook not found': 'Webhook nicht gefunden',
  'Delivery not found': 'Zustellung nicht gefunden',
  '{0} is switched off by an admin; try again later':
    '{0} wurde von einem Admin ausgeschaltet; versuche es später noch einmal',
  'Device not found': 'Gerät nicht gefunden',
  'You have no device with this id': 'Du hast kein Gerät mit dieser ID',
  'Confirmation not found': 'Bestätigung nicht gefunden',
  'The confirmation was already decided: {0}': 'Über die Bestätigung wurde schon entschieden: {0}',
  'The confirmation is no longer open': 'Die Bestätigung ist nicht mehr offen',
  'The content to remember is empty': 'Der zu speichernde Inhalt ist leer',
  'The secret of the webhook cannot be read; renew it':
    'Das Geheimnis des Webhooks kann nicht gelesen werden; erneuere es',
  'Your tier no longer includes webhooks': 'Dein Tarif enthält keine Webhooks mehr',
  'Your email address is not verified': 'Deine E-Mail-Adresse ist nicht bestätigt',

  // The server and its database
  'Internal server error': 'Interner Serverfehler',
  'Not Found': 'Nicht gefunden',
  'The server is stopping; try again': 'Der Server wird gerade beendet; versuche es noch einmal',
  'The server has more requests than it can answer; try again':
    'Der Server bekommt mehr Anfragen, als er beantworten kann; versuche es noch einmal',
  'The database is not available; try again':
    'Die Datenbank ist nicht erreichbar; versuche es noch einmal',
  'Another request is changing the same data; try again':
    'Eine andere Anfrage ändert gerade dieselben Daten; versuche es noch einmal',
  'The database took too long; try again':
    'Die Datenbank hat zu lange gebraucht; versuche es noch einmal',
  'Writes fail: {0}': 'Schreiben schlägt fehl: {0}',
  'Not ready: {0}': 'Nicht bereit: {0}',
  'The bearer token is not SVC_METRICS_TOKEN': 'Das Bearer-Token ist nicht SVC_METRICS_TOKEN',

  // The connection
  'No answer from {0}': 'Keine Antwort von {0}',
  'The service at {0} is not svc': 'Der Dienst unter {0} ist nicht svc',
  'The response of {0} was cut off': 'Die Antwort von {0} wurde abgebrochen',
  'Moved to {0}': 'Verschoben nach {0}',
  'Client disconnected': 'Die Verbindung wurde vom Client getrennt',
  'The request body ended early': 'Der Inhalt der Anfrage endete vorzeitig',
  'The request body arrived too slowly': 'Der Inhalt der Anfrage kam zu langsam an',
  'Body is larger than {0} KiB': 'Der Inhalt ist größer als {0} KiB',
  'Origin not allowed': 'Diese Herkunft ist nicht erlaubt',
  'Invalid Host header': 'Ungültiger Host-Header',
  'Host is not allowed; set SVC_BASE_URL to the address that clients use':
    'Dieser Host ist nicht erlaubt; setze SVC_BASE_URL auf die Adresse, die Clients verwenden',

  // Credentials and rights
  'Could not validate credentials': 'Die Anmeldedaten konnten nicht geprüft werden',
  'Token expired': 'Das Token ist abgelaufen',
  'Your default organization changed, or you are no longer its member. Connect again.':
    'Deine Standardorganisation hat sich geändert, oder du bist nicht mehr ihr Mitglied. Verbinde dich neu.',
  'Invalid API key': 'Ungültiger API-Schlüssel',
  'Admin access required': 'Dafür brauchst du Administratorrechte',
  'User not found': 'Nutzer nicht gefunden',
  'This API key may not be used from this address':
    'Dieser API-Schlüssel darf von dieser Adresse aus nicht verwendet werden',
  'This credential is paused; its owner can resume it':
    'Dieser Zugang ist pausiert; wem er gehört, kann ihn fortsetzen',
  'This credential has no scope {0}; its owner can add it':
    'Diesem Zugang fehlt die Berechtigung {0}; wem er gehört, kann sie hinzufügen',
  'An API key cannot manage the account; sign in instead':
    'Ein API-Schlüssel kann das Konto nicht verwalten; melde dich stattdessen an',
  'Verify your email address first. To get a link, open /app/settings/email on this server, or run: svc verify --resend':
    'Bestätige zuerst deine E-Mail-Adresse. Einen Link bekommst du unter /app/settings/email auf diesem Server oder mit: svc verify --resend',

  // Limits
  'Too many requests. Please try again later.':
    'Zu viele Anfragen. Bitte versuche es später noch einmal.',
  'Too many requests: wait {0} seconds before the next one':
    'Zu viele Anfragen: warte {0} Sekunden bis zur nächsten',
  '{0}. Try again in {1} second.': '{0}. Versuche es in {1} Sekunde noch einmal.',
  '{0}. Try again in {1} seconds.': '{0}. Versuche es in {1} Sekunden noch einmal.',
  '{0}. Try again in {1} minute.': '{0}. Versuche es in {1} Minute noch einmal.',
  '{0}. Try again in {1} minutes.': '{0}. Versuche es in {1} Minuten noch einmal.',
  '{0}. Try again in {1} hour.': '{0}. Versuche es in {1} Stunde noch einmal.',
  '{0}. Try again in {1} hours.': '{0}. Versuche es in {1} Stunden noch einmal.',
  'Too many requests': 'Zu viele Anfragen',
  'Too many failed sign-ins': 'Zu viele fehlgeschlagene Anmeldungen',
  'Too many wrong passwords': 'Zu viele falsche Passwörter',
  'Too many clients registered': 'Zu viele Clients registriert',
  'Daily limit of authorized apps reached': 'Das Tageslimit für autorisierte Apps ist erreicht',
  'Too many client documents read': 'Zu viele Client-Dokumente gelesen',
  'Too many device logins started': 'Zu viele Geräteanmeldungen gestartet',
  'Too many wrong device codes': 'Zu viele falsche Gerätecodes',
  'Too many sign-ins with a passkey': 'Zu viele Anmeldungen mit einem Passkey',
  'Too many links mailed': 'Zu viele Links per E-Mail gesendet',
  'Too many invites sent': 'Zu viele Einladungen gesendet',
  'Too many checks of domains': 'Zu viele Prüfungen von Domains',
  'Too many titles asked for': 'Zu viele Titel angefragt',
  'Too many new threads': 'Zu viele neue Unterhaltungen',
  'Too many messages sent': 'Zu viele Nachrichten gesendet',
  'Too many pictures are waiting': 'Zu viele Bilder warten auf die Verarbeitung',
  'There can be {0} {1} at most': 'Höchstens {0} möglich: {1}',
  reflexes: 'Reflexe',
  devices: 'Geräte',
  'saved views': 'gespeicherte Ansichten',
  passkeys: 'Passkeys',
  organizations: 'Organisationen',
  agents: 'Agenten',
  files: 'Dateien',
  categories: 'Kategorien',
  shares: 'geteilte Unterhaltungen',
  'API keys': 'API-Schlüssel',
  'sessions without a message': 'Unterhaltungen ohne Nachricht',
  'branches of sessions': 'Zweige von Unterhaltungen',

  // Fields
  'The text holds only memories that svc gave, which are stored already':
    'Der Text enthält nur Erinnerungen von svc, die schon gespeichert sind',
  'Field required': 'Dieses Feld ist erforderlich',
  'Value is not valid': 'Der Wert ist ungültig',
  'Input should be a valid string': 'Gib einen gültigen Text ein',
  'Input should be a valid UUID': 'Gib eine gültige UUID ein',
  'Input should be a valid datetime': 'Gib einen gültigen Zeitpunkt ein',
  'Input should be a valid integer': 'Gib eine ganze Zahl ein',
  'Input should be a valid integer, unable to parse string as an integer':
    'Gib eine ganze Zahl ein',
  'Input should be a valid number': 'Gib eine Zahl ein',
  'Input should be a valid number, unable to parse string as a number': 'Gib eine Zahl ein',
  'Extra inputs are not permitted where something is deleted':
    'Unbekanntes Feld, wo etwas gelöscht wird',
  'Input should be a valid boolean': 'Gib true oder false ein',
  'Input should be a valid boolean, unable to interpret input': 'Gib true oder false ein',
  'Input should be a valid list': 'Gib eine gültige Liste ein',
  'Input should be a valid dictionary': 'Gib ein gültiges Objekt ein',
  'Input should be a valid URL': 'Gib eine gültige URL ein',
  'Input should be a valid email address': 'Gib eine gültige E-Mail-Adresse ein',
  'Input should be one email address, such as ada@example.com':
    'Gib eine einzelne E-Mail-Adresse ein, zum Beispiel ada@example.com',
  'Input should be in the future': 'Der Zeitpunkt muss in der Zukunft liegen',
  'Input should not be before 1970': 'Der Zeitpunkt darf nicht vor 1970 liegen',
  'Input should match a future time': 'Der Ausdruck muss auf einen Zeitpunkt in der Zukunft passen',
  'Input should be either at or cron, not both': 'Gib entweder at oder cron an, nicht beides',
  'Either at or cron is required': 'Entweder at oder cron ist erforderlich',
  'Input should be a time zone, such as Europe/Berlin':
    'Gib eine Zeitzone ein, zum Beispiel Europe/Berlin',
  'Input should name a day that one of its months has': 'Nenne einen Tag, den einer der Monate hat',
  'Input has the value {0}, which should be in the range {1}':
    'Der Wert {0} muss im Bereich {1} liegen',
  'Input should be a cron expression of five fields':
    'Gib einen Cron-Ausdruck mit fünf Feldern ein',
  'Input should be a number or a datetime': 'Gib eine Zahl oder einen Zeitpunkt ein',
  'Input should be names joined by dots, or a JSON pointer':
    'Gib Namen mit Punkten dazwischen oder einen JSON-Pointer ein',
  'Input should be an address or a range such as 10.0.0.0/8':
    'Gib eine Adresse oder einen Bereich wie 10.0.0.0/8 ein',
  'Input should be greater than or equal to {0}': 'Der Wert muss mindestens {0} sein',
  'Input should be less than or equal to {0}': 'Der Wert darf höchstens {0} sein',
  'Input should have at most six decimals': 'Höchstens sechs Nachkommastellen',
  'Input should have at most two decimals': 'Höchstens zwei Nachkommastellen',
  'String should have at least {0} character': 'Mindestens {0} Zeichen',
  'String should have at least {0} characters': 'Mindestens {0} Zeichen',
  'String should have at most {0} character': 'Höchstens {0} Zeichen',
  'String should have at most {0} characters': 'Höchstens {0} Zeichen',
  "String should match pattern '{0}'": 'Der Text muss dem Muster „{0}“ entsprechen',
  'String should be valid text without NUL':
    'Der Text muss gültig sein und darf kein NUL enthalten',
  'Key should be valid text without NUL': 'Der Schlüssel muss gültiger Text ohne NUL sein',
  'List should have at least {0} item': 'Mindestens {0} Eintrag',
  'List should have at least {0} items': 'Mindestens {0} Einträge',
  'List should have at most {0} item': 'Höchstens {0} Eintrag',
  'List should have at most {0} items': 'Höchstens {0} Einträge',
  'Dictionary should have at least {0} item': 'Mindestens {0} Eintrag',
  'Dictionary should have at least {0} items': 'Mindestens {0} Einträge',
  'Dictionary should have at most {0} item': 'Höchstens {0} Eintrag',
  'Dictionary should have at most {0} items': 'Höchstens {0} Einträge',
  'JSON should have at most {0} characters': 'Das JSON darf höchstens {0} Zeichen haben',
  'JSON is nested too deeply': 'Das JSON ist zu tief verschachtelt',
  'Body should be JSON, with content-type application/json':
    'Der Inhalt muss JSON sein, mit dem Content-Type application/json',
  'Body should be UTF-8': 'Der Inhalt muss UTF-8 sein',
  'Content-Type should be one of {0}': 'Der Content-Type muss einer von diesen sein: {0}',
  'Body should be multipart/form-data with a valid boundary and a closing delimiter':
    'Der Inhalt muss multipart/form-data mit gültiger Grenze und schließendem Trenner sein',
  'Invalid cursor': 'Ungültiger Cursor',
  'A filter is required, or all: true': 'Ein Filter oder all: true ist erforderlich',
  "URL scheme should be 'http' or 'https'": 'Die URL muss mit http oder https beginnen',
  'URL should carry no user name and password':
    'Die URL darf keinen Benutzernamen und kein Passwort enthalten',
}
